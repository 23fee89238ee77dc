#!/usr/bin/env bash
# Installs from Debian what the skeletons of `init` are built and run with, as far as it is missing.
# Usage: language-tools.sh
set -euo pipefail

missing=()
need() { command -v "$1" > /dev/null || missing+=("$2"); }
need /usr/bin/python3 python3
need javac default-jdk-headless
need go golang-go
if [ ${#missing[@]} -gt 0 ]; then
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
fi
