"""Work on a cluster of machines by dask.distributed, as an engine (:mod:`calibcore.numerics.engine`).

dask is imported when a cluster is asked for by its address, and not before.
"""

from calibcore.cluster.connection import Cluster

__all__ = ["Cluster"]
