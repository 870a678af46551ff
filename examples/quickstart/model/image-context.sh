#!/usr/bin/env bash
# image-context.sh DIR: fills DIR with the model folder that becomes the image.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
cp -r "$("$here"/../../../language-model/smollm2.sh)"/. "$1"/
