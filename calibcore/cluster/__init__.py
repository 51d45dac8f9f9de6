"""Work on a cluster of machines by dask.distributed: an engine (:mod:`calibcore.numerics.engine`) that is asked for by
an address. dask is imported when it is, and not before.
"""

from calibcore.cluster.connection import Cluster

__all__ = ["Cluster"]
