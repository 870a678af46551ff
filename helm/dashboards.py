"""Writes the chart's Grafana dashboards; with --check, fails where the files differ.

A panel is (title, unit, what it means, [(expression, legend), …]). RUN stands for the dashboard's selection of runs.
Rates are over five minutes: long enough for scrapes of up to a minute, whatever interval Grafana's data source claims.
"""

import json
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent / "tmax-operator" / "dashboards"
SELECTION = 'namespace=~"$namespace",run=~"$run"'


def trainer(name: str, labels: str = "") -> str:
    return f"tmax_trainer_{name}{{RUN{',' + labels if labels else ''}}}"


def generator(name: str, labels: str = "") -> str:
    return f"tmax_generator_{name}{{RUN{',' + labels if labels else ''}}}"


def rate(series: str, by: str = "") -> str:
    return f"sum by (namespace, run{', ' + by if by else ''}) (rate({series}[5m]))"


def mean(histogram: str, by: str) -> str:
    name, labels = histogram.split("{", 1)
    total, count = (f"sum by ({by}) (rate({name}_{part}{{{labels}[5m]))" for part in ("sum", "count"))
    return f"{total} / {count}"


def quantile(q: float, histogram: str, by: str = "namespace, run") -> str:
    name, labels = histogram.split("{", 1)
    return f"histogram_quantile({q}, sum by (le, {by}) (rate({name}_bucket{{{labels}[5m])))"


RUNS = [
    ("How the run goes", [
        ("Reward of each step", "none", "Mean reward over all attempts of the newest step. It should rise.",
         [(trainer("reward"), "{{run}}")]),
        ("Held-out reward", "none", "Tasks never trained on, before the first and after the last step.",
         [(trainer("held_out_reward"), "{{run}} {{when}}")]),
        ("Step and wanted steps", "none", "A flat line is a run that waits or has stopped: see the phase.",
         [(trainer("step"), "{{run}} step"), (trainer("steps"), "{{run}} wanted")]),
        ("Phase of the trainer", "none", "Shown while it is 1.", [(f"{trainer('phase')} == 1", "{{run}} {{phase}}")]),
        ("Generated tokens a second", "none", "Over the last steps, as the learner gets them.",
         [(trainer("tokens_per_second"), "{{run}}")]),
        ("Groups by what became of them", "ops", "Filtered groups had one and the same reward in all attempts.",
         [(rate(trainer("groups_total"), "fate"), "{{run}} {{fate}}")]),
    ]),
    ("Trainer and generator agree: log-probability difference", [
        ("|log π − log μ| at the learner's own version", "none",
         "Mismatch proper: the same weights, computed twice. Around 0.002 in bf16 with the float32 head; growing means that "
         "generators decode with other weights or another numeric path than the trainer.",
         [(trainer("log_probability_difference_fresh"), "{{run}} {{statistic}}")]),
        ("|log π − log μ| over all tokens", "none", "Also has the difference between versions: grows with staleness.",
         [(trainer("log_probability_difference"), "{{run}} {{statistic}}")]),
        ("π/μ", "none", "Mean near 1. The maximum is what the bounded ratio protects the gradient from.",
         [(trainer("ratio"), "{{run}} {{statistic}}")]),
        ("Tokens without a part in the gradient", "percentunit", "Dropped by the divergence mask.",
         [(trainer("dropped_fraction"), "{{run}}")]),
        ("K3 estimate of KL", "none", "Between generator and learner.", [(trainer("kl"), "{{run}}")]),
        ("Staleness, versions", "none", "At most recipe.asyncSteps.",
         [(trainer("staleness_versions"), "{{run}} {{statistic}}")]),
    ]),
    ("Learning", [
        ("Entropy, nats", "none", "Falling to 0 is collapse: every attempt does the same.", [(trainer("entropy_nats"), "{{run}}")]),
        ("Norm of the gradient", "none", "Before and after clipping.", [(trainer("gradient_norm"), "{{run}} {{clipping}}")]),
        ("Policy loss", "none", "Says little by itself.", [(trainer("loss"), "{{run}}")]),
        ("Learning rate", "none", "Of the newest step.", [(trainer("learning_rate"), "{{run}}")]),
        ("Solve rate of groups", "none", "Mean reward of each group. Groups near 0 or 1 teach little.",
         [(quantile(q, trainer("solve_rate")), f"{{{{run}}}} p{q * 100:.0f}") for q in (0.1, 0.5, 0.9)]),
        ("Skipped steps and guardrails", "none", "Loss or gradient not finite, or no group with differing rewards; a bound of the run passed.",
         [(f"increase({trainer('skipped_steps_total')}[5m])", "{{run}} skipped"),
          (f"increase({trainer('guardrail_actions_total')}[5m])", "{{run}} {{signal}}")]),
    ]),
    ("Where the time goes", [
        ("Seconds of a step", "s", "Waiting is the time without enough complete groups: generators or sandboxes limit the run.",
         [(mean(trainer("step_seconds"), "namespace, run, phase"), "{{run}} {{phase}}")]),
        ("Queues", "none", "Attempts at generators, groups under way, groups that wait for the learner.",
         [(trainer("episodes_running"), "{{run}} attempts"), (trainer("groups_open"), "{{run}} groups open"),
          (trainer("groups_waiting"), "{{run}} groups waiting")]),
        ("Seconds of a checkpoint", "s", "The learner stands still for it.",
         [(mean(trainer("checkpoint_seconds"), "namespace, run"), "{{run}}")]),
        ("Seconds from announced weights to decoding with them", "s", "Per generator: fetch, verify, swap.",
         [(quantile(0.5, generator("weight_sync_seconds")), "{{run}} p50"), (quantile(0.99, generator("weight_sync_seconds")), "{{run}} p99")]),
        ("Bytes of weights sent", "Bps", "Patches should be far smaller than the whole.",
         [(rate(generator("weight_bytes_total"), "encoding"), "{{run}} {{encoding}}")]),
        ("Policy version", "none", "The trainer's newest, and what each generator decodes with.",
         [(trainer("policy_version"), "{{run}} trainer"), (generator("policy_version"), "{{run}} {{instance}}")]),
    ]),
    ("Generators", [
        ("Tokens sampled a second", "none", "All generators of the run.", [(rate(generator("tokens_total")), "{{run}}")]),
        ("Share of slots in the batch", "percentunit", "Low: too few attempts at a time, or commands that take long.",
         [(generator("batch_occupancy"), "{{run}} {{instance}}")]),
        ("Prompt tokens: computed and shared", "none", "A group's prompt is computed once.",
         [(rate(generator("prompt_tokens_total")), "{{run}} computed"), (rate(generator("prompt_tokens_shared_total")), "{{run}} shared")]),
        ("Connected and current generators", "none", "Current: they have the newest weights.",
         [(trainer("generators"), "{{run}} connected"), (trainer("generators_current"), "{{run}} current")]),
        ("Attempts by outcome", "ops", "Only rewarded ones reach the loss.",
         [(rate(generator("episodes_total"), "outcome"), "{{run}} {{outcome}}")]),
        ("Tokens of an attempt", "none", "After the prompt.",
         [(quantile(0.5, generator("episode_tokens")), "{{run}} p50"), (quantile(0.95, generator("episode_tokens")), "{{run}} p95")]),
    ]),
    ("Sandboxes", [
        ("Sandbox pods of the run", "none", "Warming: not ready yet. Leased: with attempts.",
         [(trainer("sandboxes_warming"), "{{run}} warming"), (trainer("sandboxes_ready"), "{{run}} ready"),
          (trainer("sandboxes_leased"), "{{run}} leased")]),
        ("Seconds of a command", "s", "In its cell, as the generator sees it.",
         [(quantile(0.5, generator("command_seconds")), "{{run}} p50"), (quantile(0.99, generator("command_seconds")), "{{run}} p99")]),
        ("Seconds of a verification", "s", "Its cell included.",
         [(quantile(0.5, generator("verifier_seconds")), "{{run}} p50"), (quantile(0.99, generator("verifier_seconds")), "{{run}} p99")]),
        ("Seconds of an attempt", "s", "From assignment to outcome.",
         [(quantile(0.5, generator("episode_seconds")), "{{run}} p50"), (quantile(0.99, generator("episode_seconds")), "{{run}} p99")]),
        ("Attempts without a reward", "ops", "By what failed. They are issued again, never scored 0.",
         [(rate(trainer("failed_attempts_total"), "kind"), "{{run}} {{kind}}"), (rate(trainer("replaced_attempts_total")), "{{run}} issued again")]),
        ("Cut attempts and command timeouts", "ops", "Limits of the model's lengths and of the agent.",
         [(rate(trainer("truncated_attempts_total"), "limit"), "{{run}} {{limit}}"), (rate(generator("command_timeouts_total")), "{{run}} timeouts")]),
    ]),
]

RECONCILE = "operator_sdk_controllers_execution_reconcile"
CONTROLLERS = ("trainingrun", "sandboxpool", "taskset", "checkpoint")
OPERATOR = [
    ("Runs", [
        ("Runs by phase", "none", "What people asked for and how far it is.", [("sum by (phase) (tmax_run_phase)", "{{phase}}")]),
        ("Sandbox pods by state", "none", "Wanted but not ready for long: images, quota or nodes are missing.",
         [("sum by (state) (tmax_sandbox_pods)", "{{state}}")]),
        ("Trainer crashes since the last progress", "none", "A run fails at its backoffLimit.",
         [("tmax_run_failures > 0", "{{namespace}}/{{run}}")]),
    ]),
    ("Operator", [
        ("Replicas that answer", "none", "One of them leads.", [('sum(up{job=~".*tmax-operator"})', "up")]),
        ("Reconciliations a second", "none", "By kind of object.",
         [(f"sum by (controller) (rate({RECONCILE}_seconds_count[5m]))", "{{controller}}")]),
        ("Seconds of a reconciliation, p99", "s", "Seconds and more: the API server is slow.",
         [(f"histogram_quantile(0.99, sum by (le, controller) (rate({RECONCILE}_seconds_bucket[5m])))", "{{controller}}")]),
        ("Failed reconciliations a second", "none", "They are tried again, after up to a minute. The log has the reason.",
         [(f"sum by (controller, exception) (rate({RECONCILE}_failure_total[5m]))", "{{controller}} {{exception}}")]),
        ("Objects that wait for a reconciliation", "none", "Should be near 0.",
         [(f"sum(operator_sdk_reconciliations_queue_size_{name})", name) for name in CONTROLLERS]),
        ("Java heap", "bytes", "Of each replica.",
         [('sum by (instance) (jvm_memory_used_bytes{area="heap",job=~".*tmax-operator"})', "{{instance}}")]),
    ]),
]


def panel(number: int, x: int, y: int, title: str, unit: str, meaning: str, targets: list, selection: str) -> dict:
    return {
        "id": number, "type": "timeseries", "title": title, "description": meaning,
        "gridPos": {"h": 7, "w": 8, "x": x, "y": y},
        "datasource": {"type": "prometheus", "uid": "${datasource}"},
        "fieldConfig": {"defaults": {"unit": unit, "custom": {"lineWidth": 1, "spanNulls": False}}, "overrides": []},
        "options": {"legend": {"displayMode": "list", "placement": "bottom"}, "tooltip": {"mode": "multi"}},
        "targets": [{"refId": chr(65 + i), "expr": expression.replace("RUN", selection), "legendFormat": legend}
                    for i, (expression, legend) in enumerate(targets)],
    }


def dashboard(uid: str, title: str, rows: list, variables: list, selection: str) -> dict:
    panels, y = [], 0
    for row, content in rows:
        panels.append({"id": len(panels) + 1, "type": "row", "title": row, "collapsed": False, "panels": [],
                       "gridPos": {"h": 1, "w": 24, "x": 0, "y": y}})
        y += 1
        for i, (name, unit, meaning, targets) in enumerate(content):
            panels.append(panel(len(panels) + 1, i % 3 * 8, y + i // 3 * 7, name, unit, meaning, targets, selection))
        y += -(-len(content) // 3) * 7
    datasource = {"name": "datasource", "type": "datasource", "query": "prometheus", "label": "Data source"}
    return {"uid": uid, "title": title, "tags": ["tmax"], "schemaVersion": 39, "refresh": "15s", "editable": True,
            "time": {"from": "now-1h", "to": "now"}, "templating": {"list": [datasource, *variables]}, "panels": panels}


def variable(name: str, query: str) -> dict:
    return {"name": name, "type": "query", "query": {"query": query, "refId": name}, "refresh": 2, "multi": True,
            "includeAll": True, "current": {"text": "All", "value": "$__all"},
            "datasource": {"type": "prometheus", "uid": "${datasource}"}}


DASHBOARDS = {
    "runs.json": dashboard("tmax-runs", "TMax runs", RUNS, [
        variable("namespace", "label_values(tmax_trainer_step, namespace)"),
        variable("run", 'label_values(tmax_trainer_step{namespace=~"$namespace"}, run)')], SELECTION),
    "operator.json": dashboard("tmax-operator", "TMax operator", OPERATOR, [], ""),
}


def main() -> int:
    for name, content in DASHBOARDS.items():
        text = json.dumps(content, indent=1, ensure_ascii=False) + "\n"
        path = FOLDER / name
        if "--check" not in sys.argv[1:]:
            path.write_text(text)
        elif not path.exists() or path.read_text() != text:
            sys.exit(f"helm/tmax-operator/dashboards/{name} is not what helm/dashboards.py writes: run it and commit")
    return 0


if __name__ == "__main__":
    sys.exit(main())
