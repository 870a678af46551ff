#!/bin/bash
# pytest is in the image: the tests need no network.
python3 -P -m pytest -p no:cacheprovider "$TEST_DIR/test_outputs.py" -rA
