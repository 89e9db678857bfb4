# Both services from one build:
#   docker build --file infra/docker/services.Dockerfile --target control-plane --tag routewright/control-plane .
#   docker build --file infra/docker/services.Dockerfile --target tenant --tag routewright/tenant .
FROM rust:1.95-bookworm AS build
WORKDIR /source
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/source/target \
    cargo build --locked --release --package routewright-control-plane --package routewright-tenant \
    && mkdir /programs \
    && cp target/release/routewright-control-plane target/release/routewright-tenant /programs/

FROM debian:trixie-slim AS base
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --no-create-home routewright
USER 10001
ENV LOG_FORMAT=json
EXPOSE 8080

# Backups are made by pg_dump and restored by pg_restore, which must be as new as the server.
FROM base AS control-plane
USER 0
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client-17 \
    && rm -rf /var/lib/apt/lists/* \
    && install --directory --owner=10001 /backups
USER 10001
COPY --from=build /programs/routewright-control-plane /usr/local/bin/
ENTRYPOINT ["routewright-control-plane"]

FROM base AS tenant
USER 0
RUN install --directory --owner=10001 /roads
USER 10001
COPY --from=build /programs/routewright-tenant /usr/local/bin/
ENTRYPOINT ["routewright-tenant"]
