# Leaves the delivery only.
rm -f setup.sh
[ -d delivery ]
