# docker build -t caliblens .      How to run it: docs/server.md.

# The same Python twice: this one comes with strip, and nothing of it is kept.
FROM python:3.13-bookworm AS build
WORKDIR /app
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore PATH=/opt/venv/bin:$PATH

COPY requirements.lock /build/
RUN python -m venv --without-pip /opt/venv \
    && /usr/local/bin/python -m pip --python /opt/venv/bin/python install --no-compile --only-binary=:all: --require-hashes -r /build/requirements.lock

# What no line of the app can reach: test suites, sources in C, notebook front ends, Arrow's clients for networks, and
# second copies of its libraries, which are loaded by the name that ends in one number.
RUN cd /opt/venv/lib/python3.13/site-packages \
    && find . -type d -name tests -prune -exec rm -rf {} + \
    && find . -type f \( -name '*.[ch]' -o -name '*.[ch]pp' -o -name '*.pyx' -o -name '*.pxd' \) -delete \
    && rm -rf pyarrow/include pyarrow/src pyarrow/*_cpp_tests* pyarrow/*flight* pyarrow/*_s3* \
        pyarrow/libarrow_python*.so pyarrow/libarrow_python*.so.*.*.* \
        pydeck/nbextension/static plotly/labextension plotly/package_data/datasets plotly/package_data/widgetbundle.js \
        PIL/_avif* pillow.libs/libavif*

# A hundred megabytes of names for debuggers. Libraries in folders *.libs were moved by auditwheel: strip could harm them.
RUN find /opt/venv/lib -type f -name '*.so*' -not -path '*.libs/*' -exec strip --strip-unneeded {} +

COPY app.py ./
COPY .streamlit .streamlit
COPY assets assets
COPY calibcore calibcore
COPY pages pages

# Nothing can be kept at run time: byte code and kernels are made here, the kernels for this machine's processor. Of
# packages there is byte code of what is imported: the rest of it would be another sixty megabytes.
RUN python -m compileall -q -j 0 --invalidation-mode unchecked-hash /app \
    && NUMBA_CACHE_DIR=/opt/kernels python -m calibcore warm
# If an update needs what was taken out, the build ends here and not a page later.
RUN python -c "import app, altair, distributed.cli.dask_worker, openpyxl, plotly.io, pyarrow.dataset, pyarrow.feather, pyarrow.parquet, pydeck, streamlit.web.bootstrap, streamlit.web.cli" \
    && printf 'a,b,label\n0.3,0.7,a\n0.6,0.4,b\n' > /build/two.csv \
    && for end in pdf html; do NUMBA_CACHE_DIR=/opt/kernels MPLCONFIGDIR=/build/matplotlib python -m calibcore report /build/two.csv --out "/build/two.$end" || exit 1; done \
    && NUMBA_CACHE_DIR=/opt/kernels MPLCONFIGDIR=/build/matplotlib python -m calibcore figure /build/two.csv --out /build/two.pdf


FROM python:3.13-slim-bookworm
WORKDIR /app
RUN rm -rf /usr/local/lib/python3.13/site-packages/* /usr/local/lib/python3.13/ensurepip /usr/local/bin/pip* \
    && find /usr/local/lib/python3.13 -depth -type d \( -name test -o -name tests -o -name idle_test \) -exec rm -rf {} + \
    && groupadd --system --gid 10001 caliblens \
    && useradd --system --uid 10001 --gid 10001 --no-create-home --shell /usr/sbin/nologin caliblens \
    && install -d -o caliblens -g caliblens /data
COPY --from=build /opt/venv /opt/venv
COPY --from=build /opt/kernels /opt/kernels
COPY --from=build /app /app
# The base comes without byte code for Python's own library: the app and every health check would compile it anew.
RUN /opt/venv/bin/python -c "import app, distributed.cli.dask_worker, streamlit.web.bootstrap, streamlit.web.cli"

# A worker of a cluster finds the code by its path, and never writes data to a disk (dask would when memory is short).
# Every computation has threads of its own: a product of matrices inside takes one core. (Not OMP_NUM_THREADS:
# Arrow obeys it when it reads files.) Two arenas take a quarter off the peak of memory.
ENV PATH=/opt/venv/bin:$PATH \
    PYTHONPATH=/app \
    DASK_DISTRIBUTED__WORKER__MEMORY__TARGET=False \
    DASK_DISTRIBUTED__WORKER__MEMORY__SPILL=False \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    OPENBLAS_NUM_THREADS=1 \
    MALLOC_ARENA_MAX=2 \
    NUMBA_CACHE_DIR=/tmp/kernels \
    MPLCONFIGDIR=/tmp/matplotlib

USER 10001:10001
VOLUME /data
EXPOSE 8501

# Answered at the root whatever base path there is. Another program on that port might answer 200: so the body is read.
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s --retries=3 \
    CMD ["python", "-I", "-c", "import http.client as h; c = h.HTTPConnection('127.0.0.1', 8501, timeout=4); c.request('GET', '/healthz'); raise SystemExit(c.getresponse().read() != b'ok')"]

# numba wants its cache writable, to keep what it compiles where the processor is another than at build time.
# Without a writable /tmp the app starts all the same and compiles in memory.
ENTRYPOINT ["sh", "-c", "cp -R /opt/kernels/. \"$NUMBA_CACHE_DIR\"; exec \"$@\"", "start"]
CMD ["python", "-m", "streamlit", "run", "app.py"]
