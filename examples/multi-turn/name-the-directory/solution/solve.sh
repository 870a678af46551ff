#!/bin/bash
cat inbox/*.msg
mkdir inbox/quartz-58d
