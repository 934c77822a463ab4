"""JUnit XML of the gate's conditions, as CI systems read it."""

from collections.abc import Sequence
from xml.etree import ElementTree

from chunkscope.evaluation.gate import Check
from chunkscope.text.display import visible


def junit_xml(checks: Sequence[Check]) -> str:
    """One test case a condition; a condition that does not hold is a failure."""
    failures = sum(not check.passed for check in checks)
    suite = ElementTree.Element(
        "testsuite", name="chunkscope", tests=str(len(checks)), failures=str(failures)
    )
    for check in checks:
        case = ElementTree.SubElement(suite, "testcase", classname="chunkscope", name=check.name)
        # XML cannot carry control characters, so that outside text is made visible first
        message = visible(check.message)
        if check.passed:
            ElementTree.SubElement(case, "system-out").text = message
        else:
            ElementTree.SubElement(case, "failure", message=message)
    ElementTree.indent(suite)
    # "unicode" would declare the locale's encoding, whatever the file is written in
    written: bytes = ElementTree.tostring(suite, encoding="utf-8", xml_declaration=True)
    return written.decode() + "\n"
