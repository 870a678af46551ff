"""Sums the test reports of all modules and prints `N passed, N failed, N skipped`; lists what failed.

Exits 1 where a test failed or none ran.
"""

import glob
import sys
import xml.etree.ElementTree as ElementTree

REPORTS = ["*/target/surefire-reports/TEST-*.xml", "e2e/*/target/surefire-reports/TEST-*.xml"]


def main() -> int:
    passed = failed = skipped = 0
    for report in sorted(path for pattern in REPORTS for path in glob.glob(pattern)):
        for case in ElementTree.parse(report).getroot().iter("testcase"):
            problem = next((child for child in case if child.tag in ("failure", "error")), None)
            if problem is not None:
                failed += 1
                first_line = (problem.get("message") or problem.text or "").strip().split("\n")[0]
                print(f"FAILED {case.get('classname')}.{case.get('name')}: {first_line}\n       {report}")
            elif case.find("skipped") is not None:
                skipped += 1
            else:
                passed += 1
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
