"""The hostile suite: every program that fights the sandbox, by what it fights with."""

from __future__ import annotations

from hostile_programs_endings import ENDINGS
from hostile_programs_files import OUT_OF_BOUNDS
from hostile_programs_forgery import REPLIES
from hostile_programs_greed import GREED
from hostile_programs_hangs import HANGS
from hostile_programs_kernel import KERNEL, NETWORK
from hostile_programs_loading import LOADING
from hostile_programs_others import REACHES_FOR_OTHERS
from hostile_programs_our_code import LOOKS_FOR_THE_REFERENCE, OUR_CODE
from hostile_programs_processes import STARTS_PROCESSES
from hostile_programs_record import Hostile
from hostile_programs_scratch import IN_ITS_DIRECTORY
from hostile_programs_values import VALUES

HOSTILE: tuple[Hostile, ...] = (
    *ENDINGS,
    *HANGS,
    *GREED,
    *STARTS_PROCESSES,
    *REACHES_FOR_OTHERS,
    *NETWORK,
    *KERNEL,
    *OUT_OF_BOUNDS,
    *IN_ITS_DIRECTORY,
    *REPLIES,
    *OUR_CODE,
    *LOOKS_FOR_THE_REFERENCE,
    *VALUES,
    *LOADING,
)
