"""The skeleton of a client: it asks for the profile, and gives up. Grow it until the kit finds nothing to say."""

import json
import sys
import urllib.error
import urllib.request


def launch(task):
    """Gets the unsigned draft of a launch: {"draft": …}, {"refused": {…}} or {"distrusted": "why"}."""
    try:
        with urllib.request.urlopen(task["baseUrl"] + "/v1/platform") as response:
            json.load(response)
    except urllib.error.HTTPError as error:
        return {"refused": {"status": error.code, "code": json.load(error).get("code", "")}}
    except OSError as error:
        return {"refused": {"reason": str(error)}}
    # Next: a challenge for task["creator"]["address"] with the profile's terms hash, its message signed, the proof,
    # the build.
    return {"refused": {"reason": "not written yet"}}


if __name__ == "__main__":
    print(json.dumps(launch(json.load(sys.stdin))))
