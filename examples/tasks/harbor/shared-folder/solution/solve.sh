#!/bin/bash
set -eu
chgrp -R staff project
find project -type d -exec chmod 2770 {} +
find project -type f -exec chmod 660 {} +
