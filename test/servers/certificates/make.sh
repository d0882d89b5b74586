#!/bin/sh
# Makes the certificates of the tests anew, beside this script: a CA and what it signed, valid for 100 years unless
# the name says otherwise. Needs openssl 3. The keys protect nothing.
set -eu
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/new"
: > "$work/index.txt"
cat > "$work/ca.cnf" <<CNF
[ca]
default_ca = test
[test]
dir = $work
database = $work/index.txt
new_certs_dir = $work/new
rand_serial = yes
default_md = sha256
policy = anything
copy_extensions = copy
unique_subject = no
[anything]
countryName = optional
organizationName = optional
commonName = optional
CNF
ec="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1"
names="DNS:www.example.com,DNS:*.wild.example,DNS:localhost,IP:127.0.0.1"
# make NAME SUBJECT EXTENSION FIRST LAST WHO KEY: WHO is "-selfsign -keyfile NAME.key" or the CA
make() {
  openssl req -new $7 -nodes -subj "$2" -addext "$3" -keyout "$1.key" -out "$work/$1.csr"
  openssl ca -batch -notext -config "$work/ca.cnf" $6 -startdate "$4" -enddate "$5" -in "$work/$1.csr" -out "$1.pem"
}
byca="-cert ca.pem -keyfile ca.key"
from=20250101000000Z
to=21250101000000Z
make ca "/C=DE/O=Repute Tests/CN=Repute Test CA" "basicConstraints=critical,CA:TRUE" $from $to \
  "-selfsign -keyfile ca.key" "$ec"
make good "/C=FR/O=Example Org/CN=www.example.com" "subjectAltName=$names" $from $to "$byca" "$ec"
make expired "/CN=www.example.com" "subjectAltName=$names" 20200101000000Z 20210101000000Z "$byca" "$ec"
make early "/CN=www.example.com" "subjectAltName=$names" 21200101000000Z $to "$byca" "$ec"
make other "/CN=other.example" "subjectAltName=DNS:other.example" $from $to "$byca" "$ec"
make self "/CN=www.example.com" "subjectAltName=$names" $from $to "-selfsign -keyfile self.key" "-newkey rsa:2048"
# self NAME NAMES FIRST LAST EXTENSION: signed with its own key, and wrong in one more way.
self() {
  make "$1" "/CN=www.example.com" "subjectAltName=$2" $3 $4 "-selfsign -keyfile $1.key" "$ec -addext $5"
}
plain="extendedKeyUsage=serverAuth"
self self-expired "$names" 20200101000000Z 20210101000000Z $plain
self self-early "$names" 21200101000000Z $to $plain
self self-other "DNS:other.example" $from $to $plain
self self-usage "$names" $from $to keyUsage=critical,digitalSignature
self self-leaf "$names" $from $to basicConstraints=critical,CA:FALSE
self self-key-id "$names" $from $to 2.5.29.35=DER:30068004DEADBEEF
self self-authority "$names" $from $to basicConstraints=critical,CA:TRUE
# No name but the common one, and one with an address beside it: browsers look at neither.
make self-common "/CN=www.example.com" $plain $from $to "-selfsign -keyfile self-common.key" "$ec"
self self-address "IP:127.0.0.1" $from $to $plain
# Names itself as its issuer, but the key of self-authority signed it: only the signature tells.
make self-issued "/CN=www.example.com" "subjectAltName=$names" $from $to \
  "-cert self-authority.pem -keyfile self-authority.key" "$ec -addext authorityKeyIdentifier=none"
rm ca.key
chmod 644 *.key
