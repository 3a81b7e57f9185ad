#!/bin/sh
# Creates the secrets of compose.yaml. Keeps secrets that exist.
set -eu
cd "$(dirname -- "$0")"
umask 077
mkdir -p secrets

random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
# The folder restricts access; the users inside the containers must be able to read the files.
keep() {
  if [ ! -e "secrets/$1" ]; then
    printf '%s\n' "$2" >"secrets/$1"
    chmod 644 "secrets/$1"
    echo "secrets/$1"
  fi
}

for name in clickhouse_password key_pepper operator_token postgres_password redis_password; do
  keep "$name" "$(random)"
done
keep postgres_url "postgres://assay:$(cat secrets/postgres_password)@postgres:5432/assay"
keep redis_url "redis://:$(cat secrets/redis_password)@redis:6379"
