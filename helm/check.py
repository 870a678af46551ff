"""Checks of the chart: what it renders, and what a real API server makes of it.

Needs helm, kubectl, etcd, kube-apiserver and promtool on the PATH; check.sh sees to that.
"""

import copy
import json
import pathlib
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

HERE = pathlib.Path(__file__).resolve().parent
CHART = HERE / "tmax-operator"
EXAMPLES = HERE.parent / "examples"
REPORT = HERE / "target" / "surefire-reports" / "TEST-helm.xml"
NAMESPACE = "tmax-system"
OPERATOR = f"system:serviceaccount:{NAMESPACE}:tmax-operator"
EVERYTHING = [
    "metrics.podMonitor.enabled=true", "metrics.serviceMonitor.enabled=true", "metrics.prometheusRule.enabled=true",
    "metrics.dashboards.enabled=true", "images.operator=example.org/operator@sha256:0", "javaOptions=-Xmx1g",
    "sandboxes.quota.pods=10", "podLabels.team=a", "podAnnotations.note=b", "nodeSelector.role=c",
    "priorityClassName=high", "imagePullSecrets[0].name=pull", "tolerations[0].operator=Exists",
]


def run(*command: str, given: str | None = None) -> str:
    """Standard output of a command; its standard error is in the error where it fails."""
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def objects_of(manifests: str) -> list[dict]:
    """The objects of a YAML stream. kubectl reads it, so no YAML library is needed; no server is asked."""
    text = run("kubectl", "annotate", "--local", "-f", "-", "-o", "json", "tmax.dev/none-", given=manifests)
    decoder, found = json.JSONDecoder(), []
    while text := text.lstrip():
        value, end = decoder.raw_decode(text)
        found.append(value)
        text = text[end:]
    return found


def render(*settings: str, chart: pathlib.Path = CHART, release: str = "tmax-operator") -> list[dict]:
    sets = [part for setting in settings for part in ("--set", setting)]
    return objects_of(run("helm", "template", release, str(chart), "--namespace", NAMESPACE, *sets))


def only(objects: list[dict], kind: str, name: str | None = None) -> dict:
    found = [o for o in objects if o["kind"] == kind and name in (None, o["metadata"]["name"])]
    if len(found) != 1:
        raise AssertionError(f"{len(found)} objects of kind {kind} and name {name}")
    return found[0]


class ChartRenders(unittest.TestCase):

    def test_lint_is_clean_with_defaults_and_with_everything(self):
        run("helm", "lint", "--strict", str(CHART))
        run("helm", "lint", "--strict", str(CHART), *[part for s in EVERYTHING for part in ("--set", s)])

    def test_optional_objects_are_absent_by_default_and_present_when_asked_for(self):
        optional = {"PodMonitor", "ServiceMonitor", "PrometheusRule", "ResourceQuota"}
        self.assertEqual(set(), optional & {o["kind"] for o in render()})
        self.assertEqual(optional, optional & {o["kind"] for o in render(*EVERYTHING)})

    def test_no_object_is_rendered_twice(self):
        keys = [(o["kind"], o["metadata"].get("namespace"), o["metadata"]["name"]) for o in render(*EVERYTHING)]
        self.assertEqual(sorted(set(keys), key=str), sorted(keys, key=str))

    def test_another_chart_version_leaves_pod_templates_as_they_are(self):
        with tempfile.TemporaryDirectory() as folder:
            newer = pathlib.Path(folder) / "tmax-operator"
            shutil.copytree(CHART, newer)
            chart_yaml = newer / "Chart.yaml"
            chart_yaml.write_text(re.sub(r"(?m)^version: .*$", "version: 9.9.9", chart_yaml.read_text()))
            before, after = only(render(), "Deployment"), only(render(chart=newer), "Deployment")
        self.assertNotEqual(before["metadata"]["labels"], after["metadata"]["labels"])
        self.assertEqual(before["spec"], after["spec"])

    def test_a_parent_chart_may_set_globals(self):
        with tempfile.TemporaryDirectory() as folder:
            parent = pathlib.Path(folder) / "parent"
            shutil.copytree(CHART, parent / "charts" / "tmax-operator")
            (parent / "Chart.yaml").write_text("apiVersion: v2\nname: parent\nversion: 1.0.0\n")
            (parent / "values.yaml").write_text("global: {a: 1}\ntmax-operator: {replicas: 3}\n")
            self.assertEqual(3, only(render(chart=parent), "Deployment")["spec"]["replicas"])

    def test_an_unknown_value_is_refused_by_name(self):
        with self.assertRaisesRegex(AssertionError, "replicaCount"):
            render("replicaCount=3")

    def test_the_configuration_page_describes_every_value(self):
        page = (HERE.parent / "docs" / "configuration.md").read_text()
        values = json.loads((CHART / "values.schema.json").read_text())["properties"]
        for name, schema in values.items():
            for inner in schema.get("properties", {"": None}):
                value = f"{name}.{inner}" if inner else name
                self.assertTrue(re.search(rf"`{re.escape(value)}[`.…]", page), f"docs/configuration.md lacks {value}")

    def test_images_follow_registry_and_tag_unless_given_in_full(self):
        settings = ["images.registry=example.org/mirror", "images.tag=v2", "images.generator=example.org/own@sha256:1"]
        container = only(render(*settings), "Deployment")["spec"]["template"]["spec"]["containers"][0]
        images = {e["name"]: e.get("value") for e in container["env"] if e["name"].endswith("_IMAGE")}
        self.assertEqual("example.org/mirror/operator:v2", container["image"])
        self.assertEqual({
            "TMAX_TRAINER_IMAGE": "example.org/mirror/trainer:v2",
            "TMAX_GENERATOR_IMAGE": "example.org/own@sha256:1",
            "TMAX_ENV_RUNNER_IMAGE": "example.org/mirror/env-runner:v2",
            "TMAX_INDEXER_IMAGE": "example.org/mirror/trainer:v2",
        }, images)

    def test_two_releases_share_no_cluster_wide_object_but_the_definitions(self):
        def cluster_wide(release):
            return {(o["kind"], o["metadata"]["name"]) for o in render("sandboxes.createNamespace=false", release=release)
                    if "namespace" not in o["metadata"] and o["kind"] != "CustomResourceDefinition"}
        self.assertEqual(set(), cluster_wide("first") & cluster_wide("second"))

    def test_definitions_are_those_of_the_api_and_outlive_the_release(self):
        run(str(HERE / "copy-crds.sh"), "--check")
        definitions = [o for o in render() if o["kind"] == "CustomResourceDefinition"]
        self.assertEqual({"TrainingRun", "TaskSet", "SandboxPool", "Checkpoint"},
                         {d["spec"]["names"]["kind"] for d in definitions})
        for definition in definitions:
            self.assertEqual("keep", definition["metadata"]["annotations"]["helm.sh/resource-policy"])

    def test_the_api_reference_is_that_of_the_definitions(self):
        run(sys.executable, str(HERE.parent / "docs" / "api_reference.py"), "--check")

    def test_the_dashboards_are_what_their_script_writes(self):
        run(sys.executable, str(HERE / "dashboards.py"), "--check")

    def test_no_panel_is_empty_where_scrapes_are_a_minute_apart(self):
        panels = [p for path in CHART.glob("dashboards/*.json") for p in json.loads(path.read_text())["panels"]]
        windows = {w for p in panels for t in p.get("targets", []) for w in re.findall(r"\[([^]]+)\]", t["expr"])}
        self.assertEqual({"5m"}, windows)
        self.assertTrue(all(p["description"] for p in panels if p["type"] != "row"))

    def test_every_panel_asks_in_valid_promql(self):
        expressions = [t["expr"] for path in CHART.glob("dashboards/*.json")
                       for p in json.loads(path.read_text())["panels"] for t in p.get("targets", [])]
        rules = [{"record": f"panel:{i}", "expr": e.replace("$namespace", "a").replace("$run", "r")}
                 for i, e in enumerate(expressions)]
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "panels.json"
            path.write_text(json.dumps({"groups": [{"name": "panels", "rules": rules}]}))
            run("promtool", "check", "rules", str(path))

    def test_alert_rules_fire_where_something_is_wrong_and_nowhere_else(self):
        rule = only(render(*EVERYTHING), "PrometheusRule")
        with tempfile.TemporaryDirectory() as folder:
            rules = pathlib.Path(folder) / "tmax.json"  # JSON is YAML
            rules.write_text(json.dumps(rule["spec"]))
            run("promtool", "check", "rules", str(rules))
            tests = pathlib.Path(folder) / "tests.yaml"
            tests.write_text((HERE / "alerts_test.yaml").read_text().replace("RULES", str(rules)))
            run("promtool", "test", "rules", str(tests))


class MetricsAreThoseOfThePrograms(unittest.TestCase):
    """Dashboards, alerts and docs speak only of metrics that the programs have, and the docs of all of them."""

    SOURCES = {
        "tmax_trainer_": "trainer-image/src/main/java/dev/tmax/trainer/serve/TrainerMetrics.java",
        "tmax_generator_": "generator-image/src/main/java/dev/tmax/generator/serve/GeneratorMetrics.java",
    }

    @classmethod
    def defined(cls) -> set[str]:
        """Names as they are exposed: counters end with _total."""
        found = set()
        for prefix, source in cls.SOURCES.items():
            text = (HERE.parent / source).read_text()
            for kind, name in re.findall(r'\b(gauge|counter|histogram|read|count|name)\(\s*(?:decoder,\s*)?"([a-z_0-9]+)"', text):
                found.add(prefix + name + ("_total" if kind in ("counter", "count") else ""))
        for source in (HERE.parent / "operator/src/main/java").rglob("*.java"):
            for kind, name in re.findall(r'\b(Gauge|MultiGauge|Timer)\s*\.builder\(\s*"([a-z.]+)"', source.read_text()):
                found.add(name.replace(".", "_") + ("_seconds" if kind == "Timer" else ""))
        return found

    @staticmethod
    def documented() -> set[str]:
        """First cells of the tables of docs/observability.md, below the sentence that names their prefix."""
        found, prefix = set(), None
        for line in (HERE.parent / "docs" / "observability.md").read_text().splitlines():
            if match := re.match(r"All begin with `(\w+_)`", line):
                prefix = match[1]
            elif prefix and line.startswith("| `"):
                found |= {prefix + name for name in re.findall(r"`([a-z_0-9]+)`", line.split("|")[1])}
        return found

    def test_the_page_describes_every_metric_and_no_other(self):
        self.assertEqual(sorted(self.defined()), sorted(self.documented()))

    def test_dashboards_and_alerts_ask_for_metrics_that_exist(self):
        asked = set()
        for path in [*CHART.glob("dashboards/*.json"), *CHART.glob("alerts/*.yaml")]:
            asked |= set(re.findall(r"\btmax_[a-z_0-9]+", path.read_text()))
        self.assertTrue(asked)
        self.assertEqual(set(), {re.sub(r"_(bucket|sum|count)$", "", name) for name in asked} - self.defined())


class ApiServer:
    """etcd and kube-apiserver on loopback, with their state in one folder."""

    def __init__(self, folder: str):
        self.folder, self.processes = pathlib.Path(folder), []
        etcd, peer, self.port = free_port(), free_port(), free_port()
        run("openssl", "genrsa", "-out", f"{folder}/accounts.key", "2048")
        (self.folder / "tokens.csv").write_text('admin,admin,admin,"system:masters"\n')
        url = f"http://127.0.0.1:{etcd}"
        self.start("etcd", "--data-dir", f"{folder}/etcd", "--listen-client-urls", url, "--advertise-client-urls", url,
                   "--listen-peer-urls", f"http://127.0.0.1:{peer}", "--unsafe-no-fsync")
        self.start("kube-apiserver", f"--etcd-servers={url}", f"--secure-port={self.port}", "--bind-address=127.0.0.1",
                   f"--cert-dir={folder}/certificates", f"--token-auth-file={folder}/tokens.csv",
                   f"--service-account-key-file={folder}/accounts.key",
                   f"--service-account-signing-key-file={folder}/accounts.key",
                   "--service-account-issuer=https://kubernetes.default.svc", "--service-cluster-ip-range=10.96.0.0/16",
                   "--authorization-mode=RBAC", "--allow-privileged=true")
        self.kubeconfig = self.folder / "kubeconfig"
        self.kubeconfig.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "c",
            "clusters": [{"name": "c", "cluster": {
                "server": f"https://127.0.0.1:{self.port}", "insecure-skip-tls-verify": True}}],
            "users": [{"name": "u", "user": {"token": "admin"}}],
            "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        }))
        self.wait_until("the API server is ready", lambda: self.kubectl("get", "--raw", "/readyz") == "ok")

    def start(self, program: str, *arguments: str) -> None:
        log = open(self.folder / f"{program}.log", "w")
        self.processes.append(subprocess.Popen([program, *arguments], stdout=log, stderr=subprocess.STDOUT))

    def kubectl(self, *arguments: str, given: str | None = None) -> str:
        return run("kubectl", f"--kubeconfig={self.kubeconfig}", *arguments, given=given)

    def helm(self, *arguments: str) -> str:
        return run("helm", f"--kubeconfig={self.kubeconfig}", *arguments)

    def wait_until(self, what: str, condition, seconds: float = 60) -> None:
        deadline, problem = time.monotonic() + seconds, None
        while time.monotonic() < deadline:
            try:
                if condition():
                    return
            except AssertionError as error:
                problem = error
            time.sleep(0.2)
        raise AssertionError(f"not within {seconds} s: {what} ({problem}); logs were in {self.folder}")

    def stop(self) -> None:
        for process in reversed(self.processes):
            process.terminate()
            process.wait(30)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def sandbox_pod() -> dict:
    """A pod as the operator makes it."""
    return {
        "apiVersion": "v1", "kind": "Pod", "metadata": {"name": "sandbox", "namespace": "tmax-sandboxes"},
        "spec": {
            "hostUsers": False, "automountServiceAccountToken": False, "enableServiceLinks": False,
            "restartPolicy": "Never", "securityContext": {"seccompProfile": {"type": "RuntimeDefault"}},
            "containers": [{
                "name": "sandbox", "image": "docker.io/tmax/quickstart-sandbox:0.1.0",
                "command": ["/opt/tmax/bin/env-runner"],
                "securityContext": {"procMount": "Unmasked", "runAsUser": 0,
                                    "capabilities": {"add": ["SYS_ADMIN", "NET_ADMIN"]}},
                "volumeMounts": [{"name": "tmax", "mountPath": "/opt/tmax"},
                                 {"name": "sandboxes", "mountPath": "/sandboxes"}],
            }],
            "volumes": [{"name": "tmax", "image": {"reference": "docker.io/tmax/env-runner:0.1.0"}},
                        {"name": "sandboxes", "emptyDir": {}}],
        },
    }


class ApiServerTakesTheChart(unittest.TestCase):

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.server = ApiServer(folder.name)
        cls.addClassCleanup(cls.server.stop)
        cls.server.helm("install", "tmax-operator", str(CHART), "--namespace", NAMESPACE, "--create-namespace")
        # The account that kube-controller-manager, which does not run here, would make.
        cls.server.kubectl("-n", "tmax-sandboxes", "create", "serviceaccount", "default")
        cls.server.wait_until("the admission policy is in force", cls.others_are_refused)

    @classmethod
    def others_are_refused(cls) -> bool:
        try:
            cls.create(sandbox_pod())
            return False
        except AssertionError as error:
            return OPERATOR in str(error)

    @classmethod
    def create(cls, what: dict, *options: str) -> str:
        return cls.server.kubectl("create", "--dry-run=server", "-f", "-", *options, given=json.dumps(what))

    def test_the_operator_makes_sandbox_pods_and_nobody_else(self):
        self.assertIn("created", self.create(sandbox_pod(), f"--as={OPERATOR}"))
        with self.assertRaisesRegex(AssertionError, "make a TrainingRun instead"):
            self.create(sandbox_pod())

    def test_a_sandbox_pod_that_reaches_for_the_node_is_refused(self):
        def container(**change):
            return lambda spec: spec["containers"][0]["securityContext"].update(change)

        def pod(**change):
            return lambda spec: spec.update(change)

        def also(name, value):
            return lambda spec: spec[name].append(value)

        def node_users(spec):
            spec.pop("hostUsers")
            spec["containers"][0]["securityContext"].pop("procMount")
        for expected, change in [
            ("spec.hostUsers: must be false", node_users),
            ("spec.hostNetwork", pod(hostNetwork=True)),
            # These two the API server refuses by itself next to hostUsers: false.
            ("spec.HostPID: Forbidden", pod(hostPID=True)),
            ("spec.HostIPC: Forbidden", pod(hostIPC=True)),
            ("automountServiceAccountToken", pod(automountServiceAccountToken=True)),
            ("automountServiceAccountToken", lambda spec: spec.pop("automountServiceAccountToken")),
            ("spec.volumes: only", also("volumes", {"name": "host", "hostPath": {"path": "/"}})),
            ("spec.volumes: only", also("volumes", {"name": "token", "projected": {"sources": [
                {"serviceAccountToken": {"path": "token"}}]}})),
            ("spec.volumes: only", also("volumes", {"name": "data", "persistentVolumeClaim": {"claimName": "c"}})),
            ("privileged: must not", container(privileged=True, procMount="Default")),
            ("capabilities.add", container(capabilities={"add": ["SYS_MODULE"]})),
            ("capabilities.add", container(capabilities={"add": ["ALL"]})),
            ("seccompProfile", pod(securityContext={"seccompProfile": {"type": "Unconfined"}})),
            ("seccompProfile", pod(securityContext={})),
            ("seccompProfile", container(seccompProfile={"type": "Unconfined"})),
            ("privileged: must not", lambda spec: spec.update(initContainers=[
                {"name": "init", "image": "i", "securityContext": {"privileged": True}}])),
            ("hostPort", lambda spec: spec["containers"][0].update(ports=[{"containerPort": 80, "hostPort": 80}])),
        ]:
            unsafe = copy.deepcopy(sandbox_pod())
            change(unsafe["spec"])
            with self.subTest(expected=expected, spec=unsafe["spec"]):
                with self.assertRaisesRegex(AssertionError, re.escape(expected)):
                    self.create(unsafe, f"--as={OPERATOR}")

    def test_pods_of_other_namespaces_are_not_judged(self):
        ordinary = {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "other", "namespace": "default"},
                    "spec": {"containers": [{"name": "c", "image": "i"}], "automountServiceAccountToken": False}}
        self.server.kubectl("-n", "default", "create", "serviceaccount", "default")
        self.assertIn("created", self.create(ordinary))

    def test_the_operator_may_do_its_work_and_no_more(self):
        def may(verb, resource, namespace):
            resource, _, subresource = resource.partition("/")
            done = subprocess.run(["kubectl", f"--kubeconfig={self.server.kubeconfig}", "auth", "can-i", verb, resource,
                                   f"--subresource={subresource}", "-n", namespace, f"--as={OPERATOR}"],
                                  capture_output=True, text=True, check=False)
            return done.stdout.strip()
        for verb, resource, namespace, answer in [
            ("create", "pods", "tmax-sandboxes", "yes"),
            ("delete", "pods", "tmax-sandboxes", "yes"),
            ("create", "pods", "default", "no"),
            ("delete", "pods", "default", "no"),
            ("create", "pods/exec", "tmax-sandboxes", "no"),
            ("create", "statefulsets.apps", "default", "yes"),
            ("create", "deployments.apps", "default", "no"),
            ("create", "leases.coordination.k8s.io", NAMESPACE, "yes"),
            ("update", "leases.coordination.k8s.io", "kube-system", "no"),
            ("escalate", "roles.rbac.authorization.k8s.io", "default", "no"),
            ("bind", "roles.rbac.authorization.k8s.io", "default", "no"),
            ("create", "clusterroles.rbac.authorization.k8s.io", "default", "no"),
            ("get", "secrets", "default", "yes"),
            ("list", "secrets", "default", "no"),
            ("patch", "secrets", "default", "no"),
            ("list", "configmaps", "default", "no"),
            ("update", "trainingruns.tmax.dev", "default", "no"),
            ("impersonate", "users", "default", "no"),
            ("create", "serviceaccounts/token", "default", "no"),
            ("patch", "nodes", "default", "no"),
            ("patch", "customresourcedefinitions.apiextensions.k8s.io", "default", "no"),
            ("create", "trainingruns.tmax.dev", "default", "no"),
        ]:
            with self.subTest(verb=verb, resource=resource, namespace=namespace):
                self.assertEqual(answer, may(verb, resource, namespace))

    def test_the_operator_can_grant_what_trainers_need_but_nothing_else(self):
        def role(*rules):
            return {"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "Role",
                    "metadata": {"name": "trainer", "namespace": "tmax-sandboxes"}, "rules": list(rules)}
        pods = {"apiGroups": [""], "resources": ["pods"], "verbs": ["get", "list", "watch"]}
        pool = {"apiGroups": ["tmax.dev"], "resources": ["sandboxpools"], "resourceNames": ["default-quickstart"],
                "verbs": ["get", "patch"]}
        nodes = {"apiGroups": [""], "resources": ["nodes"], "verbs": ["get"]}
        self.assertIn("created", self.create(role(pods, pool), f"--as={OPERATOR}"))
        with self.assertRaisesRegex(AssertionError, "escalate|attempting to grant"):
            self.create(role(nodes), f"--as={OPERATOR}")

    def test_an_upgrade_brings_new_definitions(self):
        with tempfile.TemporaryDirectory() as folder:
            newer = pathlib.Path(folder) / "tmax-operator"
            shutil.copytree(CHART, newer)
            definition = newer / "crd-files" / "tasksets.tmax.dev.yaml"
            before = definition.read_text()
            definition.write_text(before.replace('plural: "tasksets"', 'plural: "tasksets"\n    categories: ["newer"]'))
            self.assertNotEqual(before, definition.read_text())
            self.server.helm("upgrade", "tmax-operator", str(newer), "--namespace", NAMESPACE)
        names = json.loads(self.server.kubectl("get", "crd", "tasksets.tmax.dev", "-o", "json"))["spec"]["names"]
        self.assertEqual(["newer"], names["categories"])

    def test_the_examples_are_accepted(self):
        self.server.wait_until("TrainingRuns are served", lambda: self.server.kubectl("get", "trainingruns", "-A") is not None)
        quickstart = objects_of(run("kubectl", "kustomize", str(EXAMPLES / "quickstart")))
        for namespace in {o["metadata"]["name"] for o in quickstart if o["kind"] == "Namespace"}:
            self.server.kubectl("create", "namespace", namespace)
        recipes = [o for path in sorted((EXAMPLES / "recipes").glob("*.yaml")) for o in objects_of(path.read_text())]
        self.assertGreaterEqual(len(recipes), 4)
        for example in quickstart + recipes:
            with self.subTest(kind=example["kind"], name=example["metadata"]["name"]):
                self.server.kubectl("apply", "--dry-run=server", "--validate=strict", "-f", "-", given=json.dumps(example))


class Report(unittest.TextTestResult):
    """Keeps what the project's counter of tests reads."""

    def __init__(self, *arguments, **options):
        super().__init__(*arguments, **options)
        self.suite = ElementTree.Element("testsuite", name="helm")

    def case(self, test, problem=None):
        case = ElementTree.SubElement(self.suite, "testcase", classname=f"helm.{type(test).__name__}", name=str(test.id().rsplit(".", 1)[-1]))
        if problem is not None:
            ElementTree.SubElement(case, "failure", message=self._exc_info_to_string(problem, test).strip().split("\n")[-1])

    def addSuccess(self, test):
        super().addSuccess(test)
        self.case(test)

    def addFailure(self, test, err):
        super().addFailure(test, err)
        self.case(test, err)

    def addError(self, test, err):
        super().addError(test, err)
        self.case(test, err)

    def addSubTest(self, test, subtest, err):
        super().addSubTest(test, subtest, err)
        if err is not None:
            self.case(test, err)


if __name__ == "__main__":
    program = unittest.main(testRunner=unittest.TextTestRunner(resultclass=Report, verbosity=2), exit=False)
    REPORT.parent.mkdir(parents=True, exist_ok=True)
    ElementTree.ElementTree(program.result.suite).write(REPORT)
    sys.exit(0 if program.result.wasSuccessful() else 1)
