# Sourced after processes.sh. Certificates, etcd, API server, controller manager, scheduler, volume provisioner: on the
# network of the first node.
# shellcheck shell=bash

make_certificate() { # file, subject, alternative names
  local file=$TMAX_STATE/pki/$1
  # RSA: not every client of Kubernetes reads keys of elliptic curves.
  openssl req -newkey rsa:2048 -nodes -keyout "$file.key" -subj "$2" -out "$file.csr"
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "${3:-DNS:localhost}" >"$file.ext"
  openssl x509 -req -in "$file.csr" -CA "$TMAX_STATE/pki/ca.crt" -CAkey "$TMAX_STATE/pki/ca.key" \
    -set_serial "0x$(openssl rand -hex 8)" -days 3650 -extfile "$file.ext" -out "$file.crt"
  rm "$file.csr" "$file.ext"
}

make_kubeconfig() { # file, certificate
  cat >"$1" <<YAML
apiVersion: v1
kind: Config
current-context: $TMAX_CLUSTER
clusters:
  - name: $TMAX_CLUSTER
    cluster:
      server: https://$API_ADDRESS:6443
      certificate-authority-data: $(base64 -w0 <"$TMAX_STATE/pki/ca.crt")
users:
  - name: $2
    user:
      client-certificate-data: $(base64 -w0 <"$TMAX_STATE/pki/$2.crt")
      client-key-data: $(base64 -w0 <"$TMAX_STATE/pki/$2.key")
contexts:
  - name: $TMAX_CLUSTER
    context: {cluster: $TMAX_CLUSTER, user: $2}
YAML
  chmod 600 "$1"
}

make_identities() {
  local pki=$TMAX_STATE/pki node
  mkdir -p "$pki"
  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$pki/ca.key" \
    -subj "/CN=$TMAX_CLUSTER" -days 3650 -out "$pki/ca.crt"
  openssl ecparam -name prime256v1 -genkey -noout -out "$pki/service-accounts.key"
  make_certificate apiserver /CN=kube-apiserver "DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc,IP:127.0.0.1,IP:$API_ADDRESS,IP:$SERVICES.1"
  make_certificate admin /O=system:masters/CN=admin
  make_certificate controller-manager /CN=system:kube-controller-manager
  make_certificate scheduler /CN=system:kube-scheduler
  make_certificate proxy /CN=system:kube-proxy
  for node in "${NODES[@]}"; do
    make_certificate "node-$node" "/O=system:nodes/CN=system:node:$(node_name "$node")" \
      "DNS:$(node_name "$node"),IP:$(node_address "$node")"
    make_kubeconfig "$pki/node-$node.kubeconfig" "node-$node"
  done
  make_kubeconfig "$pki/controller-manager.kubeconfig" controller-manager
  make_kubeconfig "$pki/scheduler.kubeconfig" scheduler
  make_kubeconfig "$pki/proxy.kubeconfig" proxy
  make_kubeconfig "$KUBECONFIG" admin
}

ask_api_server() { # path
  curl -fsS -m 5 --cacert "$TMAX_STATE/pki/ca.crt" --cert "$TMAX_STATE/pki/admin.crt" \
    --key "$TMAX_STATE/pki/admin.key" "https://$API_ADDRESS:6443$1"
}

start_api_server() {
  local pki=$TMAX_STATE/pki audit=()
  # The folder may be lost with the machine, the tests' data too: no fsync.
  start etcd nsenter "--net=/run/netns/$(node_name 0)" -- "$TMAX_BIN/etcd" --data-dir "$TMAX_STATE/etcd" \
    --listen-client-urls http://127.0.0.1:2379 --advertise-client-urls http://127.0.0.1:2379 \
    --listen-peer-urls http://127.0.0.1:2380 --unsafe-no-fsync --log-level warn
  if [ "${TMAX_AUDIT:-no}" = yes ]; then # Who asked for what, for tests that count requests.
    printf 'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules:\n  - level: Metadata\n' \
      >"$TMAX_STATE/audit-policy.yaml"
    audit=(--audit-policy-file "$TMAX_STATE/audit-policy.yaml" --audit-log-path "$TMAX_STATE/log/audit.log")
  fi
  start apiserver nsenter "--net=/run/netns/$(node_name 0)" -- "$TMAX_BIN/kube-apiserver" \
    --etcd-servers http://127.0.0.1:2379 --advertise-address "$API_ADDRESS" --bind-address 0.0.0.0 --secure-port 6443 \
    --client-ca-file "$pki/ca.crt" --tls-cert-file "$pki/apiserver.crt" --tls-private-key-file "$pki/apiserver.key" \
    --kubelet-certificate-authority "$pki/ca.crt" --kubelet-client-certificate "$pki/admin.crt" \
    --kubelet-client-key "$pki/admin.key" --kubelet-preferred-address-types InternalIP \
    --service-account-key-file "$pki/service-accounts.key" \
    --service-account-signing-key-file "$pki/service-accounts.key" \
    --service-account-issuer https://kubernetes.default.svc --service-cluster-ip-range "$SERVICES.0/16" \
    --authorization-mode Node,RBAC --allow-privileged=true "${audit[@]}"
}

start_controllers() {
  local pki=$TMAX_STATE/pki network
  network="--net=/run/netns/$(node_name 0)"
  start controller-manager nsenter "$network" -- "$TMAX_BIN/kube-controller-manager" \
    --kubeconfig "$pki/controller-manager.kubeconfig" --use-service-account-credentials --leader-elect=false \
    --service-account-private-key-file "$pki/service-accounts.key" --root-ca-file "$pki/ca.crt" \
    --cluster-signing-cert-file "$pki/ca.crt" --cluster-signing-key-file "$pki/ca.key" \
    --kube-api-qps 100 --kube-api-burst 200
  start scheduler nsenter "$network" -- "$TMAX_BIN/kube-scheduler" --kubeconfig "$pki/scheduler.kubeconfig" \
    --leader-elect=false
  mkdir -p "$TMAX_STATE/volumes"
  start volume-provisioner nsenter "$network" -- "$TMAX_BIN/volume-provisioner" --kubeconfig "$KUBECONFIG" \
    --root "$TMAX_STATE/volumes"
}
