#!/bin/sh
# Run once by the database's first start: the login that owns the product's database and may create organisations'
# logins, but is no superuser.
set -eu
psql --set ON_ERROR_STOP=1 --set password="$OWNER_PASSWORD" --username "$POSTGRES_USER" --dbname postgres << 'SQL'
create role routewright login createrole createdb password :'password';
create database routewright owner routewright;
SQL
psql --set ON_ERROR_STOP=1 --username "$POSTGRES_USER" --dbname routewright --file /superuser.sql
