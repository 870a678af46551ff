#!/bin/bash
chmod 700 keys
chmod 600 keys/id_demo
