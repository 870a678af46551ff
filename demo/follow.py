"""Follows the quickstart run to its end: a progress line while it works, a summary and a JSON file when it is done.

Reads only what any user can read: the TrainingRun, the trainer's /v1/status through the API server, and at the end the
files beside the checkpoints. Exit status 0 says that the run succeeded.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

NAMESPACE = "tmax-quickstart"
RUN = "quickstart"
STATUS_PATH = f"/api/v1/namespaces/{NAMESPACE}/services/{RUN}-trainer:9090/proxy/v1/status"
POLL_SECONDS = 2
REPEAT_SECONDS = 20  # an unchanged line is printed again after this long
SILENT_FAILURE_SECONDS = 1800  # nothing new for this long is a failure


def kubectl(*arguments: str, timeout: float = 20) -> str | None:
    """Output of kubectl, or None where it failed."""
    try:
        done = subprocess.run(["kubectl", *arguments], capture_output=True, text=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


def kubectl_json(*arguments: str) -> dict:
    output = kubectl(*arguments)
    try:
        return json.loads(output) if output else {}
    except json.JSONDecodeError:
        return {}


def condition(run: dict, kind: str) -> dict:
    conditions = run.get("status", {}).get("conditions", [])
    return next((found for found in conditions if found.get("type") == kind), {})


def duration(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def progress(run: dict, trainer: dict) -> str:
    """One line: what the run does now."""
    status = run.get("status", {})
    if not trainer:
        waiting = [
            f"{found['type']}: {found.get('message') or found.get('reason')}"
            for found in status.get("conditions", [])
            if found.get("status") == "False" and found["type"] in ("TrainerReady", "GeneratorsReady", "SandboxesReady", "Ready")
        ]
        return f"{status.get('phase', 'Pending')}  {waiting[0] if waiting else ''}".rstrip()
    sandboxes = trainer.get("sandboxes") or {}
    rewards = trainer.get("rewards") or []
    eta = trainer.get("etaSeconds", -1)
    return "  ".join([
        trainer.get("phase", "").capitalize(),
        f"step {trainer.get('step', 0)}/{trainer.get('steps', 0)}",
        f"reward {rewards[-1]:.2f}" if rewards else "reward -",
        f"version {trainer.get('policyVersion', 0)}",
        f"{trainer.get('tokensPerSecond', 0):.0f} tokens/s",
        f"sandboxes {sandboxes.get('warming', 0)} warming {sandboxes.get('ready', 0)} ready {sandboxes.get('leased', 0)} leased",
        f"ETA {duration(eta)}" if eta >= 0 else "ETA -",
    ])


def volume_files(names: list[str]) -> dict[str, str]:
    """Text of files beside the checkpoints, read by a pod that mounts the run's volume."""
    pod = kubectl_json("-n", NAMESPACE, "get", "trainingrun", RUN, "-o", "json")
    claim = pod.get("status", {}).get("checkpointClaim") or f"{RUN}-checkpoints"
    mark = "=====tmax-file:"
    script = "; ".join(f"echo '{mark}{name}'; cat /checkpoints/{name} 2>/dev/null" for name in names)
    overrides = {
        "spec": {
            "nodeSelector": {"tmax.dev/role": "workers"},
            "automountServiceAccountToken": False,
            "securityContext": {"runAsNonRoot": True, "runAsUser": 10001, "seccompProfile": {"type": "RuntimeDefault"}},
            "containers": [{
                "name": "reader",
                "image": "docker.io/tmax/trainer:0.1.0",
                "command": ["/bin/sh", "-c", script],
                "volumeMounts": [{"name": "checkpoints", "mountPath": "/checkpoints", "readOnly": True}],
                "securityContext": {"allowPrivilegeEscalation": False, "capabilities": {"drop": ["ALL"]}},
            }],
            "volumes": [{"name": "checkpoints", "persistentVolumeClaim": {"claimName": claim}}],
        }
    }
    name = f"reader-{int(time.time())}"
    kubectl("-n", NAMESPACE, "run", name, "--restart=Never", "--image=docker.io/tmax/trainer:0.1.0",
            f"--overrides={json.dumps(overrides)}")
    kubectl("-n", NAMESPACE, "wait", f"pod/{name}", "--for=jsonpath={.status.phase}=Succeeded", "--timeout=60s", timeout=70)
    text = kubectl("-n", NAMESPACE, "logs", name) or ""
    kubectl("-n", NAMESPACE, "delete", "pod", name, "--wait=false")
    files = {}
    for part in text.split(mark)[1:]:
        name, _, content = part.partition("\n")
        files[name] = content
    return files


def curve(rewards: list[float], width: int = 60, height: int = 8) -> str:
    """Reward per step as text, one column per step or per few steps."""
    if not rewards:
        return ""
    per_column = -(-len(rewards) // width)
    columns = [rewards[i:i + per_column] for i in range(0, len(rewards), per_column)]
    means = [sum(column) / len(column) for column in columns]
    rows = []
    for level in range(height, 0, -1):
        bar = "".join("█" if mean >= (level - 0.5) / height else " " for mean in means)
        rows.append(f"  {level / height:4.2f} |{bar}")
    return "\n".join([*rows, f"       +{'-' * len(means)} step 1..{len(rewards)}"])


def mean(values: list[float]) -> float:
    return sum(values) / len(values) if values else float("nan")


def follow() -> tuple[dict, dict, float | None]:
    """Prints progress until the run is complete or failed: the run, the trainer's last status, time of the first step."""
    last_line, last_print, last_change = "", 0.0, time.time()
    trainer, first_step = {}, None
    while True:
        run = kubectl_json("-n", NAMESPACE, "get", "trainingrun", RUN, "-o", "json")
        seen = kubectl_json("get", "--raw", STATUS_PATH)
        trainer = seen or trainer
        if first_step is None and trainer.get("step", 0) >= 1:
            first_step = time.time()
        line = progress(run, seen)
        now = time.time()
        if line != last_line:
            last_change = now
        if line != last_line or now - last_print >= REPEAT_SECONDS:
            print(f"{time.strftime('%H:%M:%S')}  {line}", flush=True)
            last_line, last_print = line, now
        if condition(run, "Complete").get("status") == "True" or condition(run, "Failed").get("status") == "True":
            return run, trainer, first_step
        if now - last_change > SILENT_FAILURE_SECONDS:
            print(f"Nothing new for {SILENT_FAILURE_SECONDS // 60} minutes.", file=sys.stderr)
            return run, trainer, first_step
        time.sleep(POLL_SECONDS)


def result_of(run: dict, trainer: dict, history: list[dict], times: dict) -> dict:
    rewards = [entry["reward"] for entry in history] or trainer.get("rewards", [])
    snapshots = trainer.get("checkpoints") or []
    return {
        "succeeded": condition(run, "Complete").get("status") == "True",
        "rewards": rewards,
        "firstFiveMean": mean(rewards[:5]),
        "lastTenMean": mean(rewards[-10:]),
        "heldOutBefore": trainer.get("heldOutBefore"),
        "heldOutAfter": trainer.get("heldOutAfter"),
        "minutes": times,
        "trainerSeconds": trainer.get("phaseSeconds"),
        "steps": trainer.get("step"),
        "policyVersion": trainer.get("policyVersion"),
        "groups": trainer.get("groups"),
        "pods": (trainer.get("sandboxes") or {}).get("pods"),
        "cells": (trainer.get("sandboxes") or {}).get("cells"),
        "checkpoint": snapshots[-1] if snapshots else None,
    }


def summarise(result: dict, trainer: dict) -> None:
    print("\n================ quickstart ================")
    print(f"reward, mean of the first 5 steps   {result['firstFiveMean']:.3f}")
    print(f"reward, mean of the last 10 steps   {result['lastTenMean']:.3f}")
    for label, key in (("before", "heldOutBefore"), ("after", "heldOutAfter")):
        value = result[key]
        print(f"reward on held-out tasks, {label:<6}    {'not measured' if value is None else f'{value:.3f}'}")
    print(curve(result["rewards"]))
    print(f"minutes: {result['minutes']}")
    print(f"groups: {result['groups']}  cells: {result['cells']}  sandbox pods: {result['pods']}")
    if result["checkpoint"]:
        checkpoint = result["checkpoint"]
        print(f"checkpoint: {checkpoint['location']} (step {checkpoint['step']}, {checkpoint['sizeBytes'] / 1e6:.0f} MB)")
    if trainer.get("sampleEpisode"):
        print("\none episode:\n" + "\n".join("  | " + line for line in trainer["sampleEpisode"].strip().split("\n")))
    print(f"""
Look further:
  export KUBECONFIG=$(bash -c 'source dev/env.sh && echo $KUBECONFIG')
  kubectl -n {NAMESPACE} get trainingruns,checkpoints,tasksets
  kubectl -n {NAMESPACE} describe trainingrun {RUN}
  kubectl -n tmax-system logs deploy/tmax-operator
  make down          # removes the cluster and every trace of it""")


def explain_failure(run: dict) -> None:
    failed = condition(run, "Failed")
    print(f"\nThe run did not succeed: {failed.get('reason', run.get('status', {}).get('phase'))}: {failed.get('message', '')}",
          file=sys.stderr)
    for command in (["-n", NAMESPACE, "get", "pods", "-o", "wide"], ["-n", "tmax-sandboxes", "get", "pods"],
                    ["-n", NAMESPACE, "get", "events", "--sort-by=.lastTimestamp"]):
        print(kubectl(*command) or "", file=sys.stderr)
    print(f"Logs: kubectl -n {NAMESPACE} logs {RUN}-trainer-0; kubectl -n tmax-system logs deploy/tmax-operator", file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--started", type=float, required=True, help="when the demo began, seconds since 1970")
    parser.add_argument("--ready", type=float, required=True, help="when the operator was installed")
    parser.add_argument("--result", type=pathlib.Path, required=True, help="the JSON file to write")
    options = parser.parse_args()

    applied = time.time()
    run, trainer, first_step = follow()
    ended = time.time()
    files = volume_files(["summary.json", "metrics.jsonl"])
    trainer = json.loads(files["summary.json"]) if files.get("summary.json", "").strip() else trainer
    history = [json.loads(line) for line in files.get("metrics.jsonl", "").splitlines() if line.strip()]
    minutes = {
        "platform": round((options.ready - options.started) / 60, 2),
        "toFirstStep": round(((first_step or ended) - options.started) / 60, 2),
        "run": round((ended - applied) / 60, 2),
        "total": round((ended - options.started) / 60, 2),
    }
    result = result_of(run, trainer, history, minutes)
    options.result.parent.mkdir(parents=True, exist_ok=True)
    options.result.write_text(json.dumps(result, indent=2) + "\n")
    summarise(result, trainer)
    print(f"\nThese figures as JSON: {options.result}")
    if not result["succeeded"]:
        explain_failure(run)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
