# The service with the embedded recipe: no GPU, no torch, no network once built.
#
#   docker build -t evpv .
#   docker run --rm -v "$PWD/keys:/keys" evpv evpv serve --keys-file /keys/evpv --new-key me      # make a key, once
#   docker run -p 8080:8080 -v "$PWD/keys:/keys:ro" evpv

FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/evpv
WORKDIR /src
COPY pyproject.toml constraints.txt README.md LICENSE ./
COPY src ./src
RUN /opt/evpv/bin/pip install -c constraints.txt '.[vision,server]' \
    && /opt/evpv/bin/python -m compileall -q /opt/evpv/lib

FROM python:3.11-slim-bookworm
# What onnxruntime and OpenCV link against, and nothing else.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libglib2.0-0 libgomp1 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --create-home --home-dir /var/lib/evpv evpv
COPY --from=build /opt/evpv /opt/evpv
ENV PATH=/opt/evpv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    OMP_NUM_THREADS=1 \
    HF_HUB_OFFLINE=1 \
    XDG_CACHE_HOME=/var/lib/evpv/cache
USER evpv
WORKDIR /var/lib/evpv
# Constraints that were read are kept here; images of requests go to /tmp and with the container.
VOLUME /var/lib/evpv/cache
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8080/readyz', timeout=4)"]
CMD ["evpv", "serve", "--host", "0.0.0.0", "--port", "8080", "--keys-file", "/keys/evpv"]
