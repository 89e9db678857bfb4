# The gateway with both web apps:
#   docker build --file infra/docker/web.Dockerfile --tag routewright/web .
FROM node:20-bookworm-slim AS build
WORKDIR /source
COPY package.json package-lock.json tsconfig.base.json ./
COPY platform/web/package.json platform/web/
COPY planner-web/package.json planner-web/
COPY admin-web/package.json admin-web/
COPY infra/e2e/package.json infra/e2e/
RUN npm ci --no-audit --no-fund
COPY platform/web platform/web
COPY planner-web planner-web
COPY admin-web admin-web
RUN npm run build --workspace planner-web && npm run build --workspace admin-web

FROM nginxinc/nginx-unprivileged:1.28-bookworm
COPY infra/nginx/nginx.conf /etc/nginx/nginx.conf
COPY infra/nginx/gateway.conf infra/nginx/services.conf infra/nginx/headers.conf infra/nginx/proxy.conf /etc/nginx/routewright/
COPY infra/docker/upstreams.conf /etc/nginx/routewright/
COPY --from=build /source/planner-web/dist /srv/planner
COPY --from=build /source/admin-web/dist /srv/dashboard
COPY platform/web/openapi.json /srv/api/openapi.json
EXPOSE 8080
