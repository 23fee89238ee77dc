"""How a moment (milliseconds since the Unix epoch) is written."""

from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


def moment(ms):
    return EPOCH + timedelta(milliseconds=ms)


def usual(ms):
    return moment(ms).isoformat(timespec="microseconds")  # 2026-10-10T00:01:00.000000+00:00


def _week_date(ms):
    t = moment(ms)
    year, week, day = t.isocalendar()
    return f"{year:04d}-W{week:02d}-{day}T{t:%H:%M:%S}.{ms % 1000:03d}Z"


def _nepal(ms):
    zone = timezone(timedelta(hours=5, minutes=45))
    return moment(ms).astimezone(zone).isoformat(timespec="milliseconds")


FORMATS = {
    # legal: the wire format is left open
    "time-week-date": _week_date,
    "time-ordinal": lambda ms: f"{moment(ms):%Y-%jT%H:%M:%S}.{ms % 1000:03d}Z",
    "time-mail": lambda ms: format_datetime(moment(ms)),
    "time-kathmandu": _nepal,
    "time-decimal-text": lambda ms: f"{ms // 1000}.{ms % 1000:03d}",
    "time-basic-comma": lambda ms: f"{moment(ms):%Y%m%dT%H%M%S},{ms % 1000:03d}Z",
    "time-nanoseconds": lambda ms: ms * 1_000_000,
    # broken: the moment that is written is not the right one
    "week-year": lambda ms: f"{moment(ms):%G-%m-%dT%H:%M:%S}.{ms % 1000:03d}Z",
    "fraction-unpadded": lambda ms: f"{moment(ms):%Y-%m-%dT%H:%M:%S}.{ms % 1000}Z",
}


def challenge_expiry(ms, variant):
    if variant == "time-two-formats":
        return ms // 1000
    return FORMATS.get(variant, usual)(ms)


def session_expiry(issued, lifetime, variant):
    if variant == "midnight-hour":
        t = moment(issued)
        return t.replace(hour=(t.hour + 1) % 24).isoformat(timespec="microseconds")
    return FORMATS.get(variant, usual)(issued + lifetime)
