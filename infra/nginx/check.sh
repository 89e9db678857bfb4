#!/usr/bin/env bash
# Whether nginx takes the gateway's configuration, and serves both web apps from it: files, addresses of the apps,
# caching, security headers, errors in the API's shape. No service runs behind it here.
set -euo pipefail
cd "$(dirname "$0")"

folder=$(mktemp -d)
chmod 755 "$folder"
port=$((20000 + RANDOM % 12000))
finish() {
  [[ ! -e $folder/nginx.pid ]] || kill "$(cat "$folder/nginx.pid")" 2> /dev/null || true
  rm -rf "$folder"
}
trap finish EXIT

mkdir -p "$folder/srv/planner/assets" "$folder/srv/dashboard/assets"
echo '<title>Planner</title>' > "$folder/srv/planner/index.html"
echo 'planner script' > "$folder/srv/planner/assets/app-1.js"
echo '<title>Dashboard</title>' > "$folder/srv/dashboard/index.html"
echo 'dashboard script' > "$folder/srv/dashboard/assets/app-1.js"
chmod -R a+rX "$folder"
for file in nginx.conf gateway.conf services.conf headers.conf proxy.conf; do
  sed -e "s#/tmp/#$folder/#; s#/etc/nginx/routewright#$folder#; s#/srv/#$folder/srv/#" \
    -e "s#listen 8080#listen 127.0.0.1:$port#; s#/dev/std\(out\|err\)#$folder/log#" "$file" > "$folder/$file"
done
# Ports on which nobody listens.
printf 'upstream control_plane { server 127.0.0.1:1; }\nupstream tenant { server 127.0.0.1:1; server 127.0.0.1:2; }\n' \
  > "$folder/upstreams.conf"

nginx -q -t -c "$folder/nginx.conf"
nginx -c "$folder/nginx.conf"

failed=0
expect() { # path, status, text in headers or body
  local answer
  answer=$(curl --silent --include --max-time 10 "${@:4}" "http://127.0.0.1:$port$1" | tr -d '\r' || true)
  if [[ $answer == "HTTP/1.1 $2 "* && $answer == *"$3"* ]]; then
    echo "ok   $1: $2, $3"
  else
    echo "FAIL $1: expected $2 with '$3', got: $answer"
    failed=1
  fi
}

expect / 200 '<title>Planner</title>'
expect '/runsheet?token=a.b' 200 '<title>Planner</title>'
expect / 200 'Cache-Control: no-cache'
expect / 200 "Content-Security-Policy: default-src 'self'"
expect / 200 'X-Content-Type-Options: nosniff'
expect /assets/app-1.js 200 'planner script'
expect /assets/app-1.js 200 'Cache-Control: public, max-age=31536000, immutable'
expect /assets/gone.js 404 ''
expect /dashboard 301 'Location: /dashboard/'
expect /dashboard/ 200 '<title>Dashboard</title>'
expect /dashboard/database/jobs 200 '<title>Dashboard</title>'
expect /dashboard/database/jobs 200 "Content-Security-Policy: default-src 'self'"
expect /dashboard/assets/app-1.js 200 'dashboard script'
expect /dashboard/assets/gone.js 404 ''
expect /health 200 'ok'
expect /api/jobs 503 '"title": "503 Service Unavailable"'
expect /api/users/login 503 'Content-Type: application/json'
head --bytes 28000000 /dev/zero > "$folder/large"
expect /api/files/upload 413 '"description": "The file is larger than 25 MB"' --request POST --data-binary "@$folder/large"
[[ $failed == 0 ]]
