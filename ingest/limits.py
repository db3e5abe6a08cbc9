"""How much one input may ask of the machine before it is stopped, with a reason.

Every limit that is met becomes a `Loss` that names it; none of them stops a run.
"""

from dataclasses import dataclass

MIB = 2**20


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on what a reader accepts; the defaults leave room for real exports."""

    record_bytes: int = 64 * MIB
    """One line, frame or document, inflated. Beyond: `oversize_record`, the next is read."""
    file_bytes: int = 2**40
    """One file, inflated. Beyond: the rest is `size_limit`."""
    ratio: int = 200
    """Inflated bytes per byte of file. Beyond: the rest is `ratio_limit`."""
    ratio_after_bytes: int = 16 * MIB
    """Inflated bytes before the ratio counts; short files may be very regular."""
    window_bytes: int = 128 * MIB
    """Memory that a zstd frame may ask for. Beyond: the frame is `window_limit`."""
    depth: int = 64
    """Lists and maps inside an attribute value. Beyond: the span is `too_deep`."""
    attributes: int = 10_000
    """Attributes of one span. Beyond: the span is `too_many_attributes`."""
    rejected_per_file: int = 100_000
    """Rejected records of one file. Beyond: its rest is one record, `too_many_rejected`."""
    child_bytes: int = 384 * MIB
    """Memory of the process that reads one Parquet file. Beyond: `memory_limit`."""
    child_seconds: int = 10
    """Its work between two batches of rows, in seconds. Beyond: `reader_timeout`."""


DEFAULT_LIMITS = Limits()
