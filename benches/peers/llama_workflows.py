"""The flow of benches/flow.rs on llama-index-workflows: prints processor time for an event as JSON."""

import asyncio
import importlib.metadata
import json
import time

from workflows import Context, Workflow, step
from workflows.events import Event, StartEvent, StopEvent

ROUNDS = 100
PARTS = 100
EVENTS = 1 + ROUNDS + 2 * PARTS + 1
RUNS = 5
AT_ONCE = 20
TRIES = 3


class Tick(Event):
    number: int


class Ready(Event):
    pass


class Part(Event):
    number: int


class Made(Event):
    number: int


class Idle(Workflow):
    @step
    async def begin(self, ev: StartEvent) -> Tick:
        return Tick(number=1)

    @step
    async def tick(self, ev: Tick) -> Tick | Ready:
        return Tick(number=ev.number + 1) if ev.number < ROUNDS else Ready()

    @step
    async def split(self, ctx: Context, ev: Ready) -> Part | None:
        for number in range(PARTS):
            ctx.send_event(Part(number=number))
        return None

    @step
    async def make(self, ev: Part) -> Made:
        return Made(number=ev.number)

    @step
    async def collect(self, ctx: Context, ev: Made) -> StopEvent | None:
        made = ctx.collect_events(ev, [Made] * PARTS)
        if made is None:
            return None
        return StopEvent(result=sum(one.number for one in made))


async def run() -> None:
    assert await Idle(timeout=None).run() == sum(range(PARTS))


async def in_sequence() -> None:
    for _ in range(RUNS):
        await run()


async def at_once() -> None:
    await asyncio.gather(*(run() for _ in range(AT_ONCE)))


def best(work, runs: int) -> float:
    times = []
    for _ in range(1 + TRIES):
        begun = time.process_time()
        asyncio.run(work())
        times.append(time.process_time() - begun)
    return min(times[1:]) * 1e6 / (runs * EVENTS)


print(
    json.dumps(
        {
            "version": importlib.metadata.version("llama-index-workflows"),
            "microseconds_per_event": best(in_sequence, RUNS),
            "microseconds_per_event_at_once": best(at_once, AT_ONCE),
            "runs_at_once": AT_ONCE,
        }
    )
)
