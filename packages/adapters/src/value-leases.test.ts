import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  type Clock,
  InMemoryVSL,
  LEASE_HEARTBEAT_MS,
  LEASE_SILENCE_MS,
  manualClock,
  type ValueStateLayer,
} from "@turnseal/ports";
import { afterEach, expect, test, vi } from "vitest";
import { readProcessStart } from "./read-process-start.ts";
import { type LeasingProcess, readOwnProcess, valueLeases } from "./value-leases.ts";

afterEach(() => {
  vi.useRealTimers();
});

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const own = readOwnProcess();
const elsewhere = { ...own, machine: "elsewhere", place: "another boot" };

function open(): { values: ValueStateLayer; clock: ReturnType<typeof manualClock> } {
  return { values: new InMemoryVSL(), clock: manualClock() };
}

/** Leaves a lease that nobody keeps alive any more. */
async function leave(
  owner: LeasingProcess,
  { values, clock }: { readonly values: ValueStateLayer; readonly clock: Clock },
): Promise<void> {
  vi.useFakeTimers();
  expect((await valueLeases({ values, clock, owner }).take(run)).kind).toBe("taken");
  vi.clearAllTimers();
  vi.useRealTimers();
}

test("a process that has ended holds nothing, and nor does another that has its id", async () => {
  const store = open();
  const child = spawn(process.execPath, ["-e", "setTimeout(() => {}, 60_000)"]);
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  await leave({ ...own, pid, processStart: readProcessStart(pid) ?? "" }, store);
  expect((await valueLeases(store).take(run)).kind).toBe("held");
  child.kill("SIGKILL");
  await once(child, "close");
  expect(await valueLeases(store).read(run)).toBeUndefined();
  const again = open();
  await leave({ ...own, processStart: "another boot/1" }, again);
  expect((await valueLeases(again).take(run)).kind).toBe("taken");
});

test("a process here that is silent still holds: it may be frozen in an action", async () => {
  const store = open();
  await leave(own, store);
  store.clock.advance(LEASE_SILENCE_MS * 100);
  expect((await valueLeases(store).take(run)).kind).toBe("held");
});

test("a process elsewhere holds until it is silent for LEASE_SILENCE_MS", async () => {
  const store = open();
  await leave(elsewhere, store);
  store.clock.advance(LEASE_SILENCE_MS);
  expect(await valueLeases(store).read(run)).toMatchObject({ machine: "elsewhere" });
  store.clock.advance(1);
  expect(await valueLeases(store).read(run)).toBeUndefined();
  expect((await valueLeases(store).take(run)).kind).toBe("taken");
});

test("a holder elsewhere whose clock is a day ahead is silent as any other", async () => {
  const store = open();
  const ahead = manualClock(store.clock.now() + 86_400_000);
  await leave(elsewhere, { values: store.values, clock: ahead });
  const leases = valueLeases(store);
  expect((await leases.take(run)).kind).toBe("held");
  store.clock.advance(LEASE_SILENCE_MS);
  ahead.advance(LEASE_SILENCE_MS);
  await valueLeases({ values: store.values, clock: ahead, owner: elsewhere }).take(run, {
    force: true,
  });
  expect((await leases.take(run)).kind).toBe("held");
  store.clock.advance(LEASE_SILENCE_MS);
  expect(await leases.read(run)).toMatchObject({ machine: "elsewhere" });
  store.clock.advance(1);
  expect(await leases.read(run)).toBeUndefined();
  expect((await leases.take(run)).kind).toBe("taken");
});

test("a holder that says every LEASE_HEARTBEAT_MS that it lives is not silent", async () => {
  vi.useFakeTimers();
  const store = open();
  const answer = await valueLeases({ ...store, owner: elsewhere }).take(run);
  for (let beats = 0; beats < 10; beats++) {
    store.clock.advance(LEASE_HEARTBEAT_MS);
    await vi.advanceTimersByTimeAsync(LEASE_HEARTBEAT_MS);
  }
  expect((await valueLeases(store).take(run)).kind).toBe("held");
  if (answer.kind === "taken") await answer.lease.release();
  expect(await store.values.list("")).toEqual([]);
});

test("a holder that was taken over beats no more, and does not take the lease back", async () => {
  vi.useFakeTimers();
  const store = open();
  await valueLeases({ ...store, owner: elsewhere }).take(run);
  await valueLeases(store).take(run, { force: true });
  await vi.advanceTimersByTimeAsync(LEASE_HEARTBEAT_MS * 3);
  expect(await valueLeases(store).read(run)).toMatchObject({ pid: own.pid, machine: own.machine });
});

test("a release that finds the store away is tried again", async () => {
  vi.useFakeTimers();
  const { values } = open();
  let isAway = false;
  const transact: ValueStateLayer["transact"] = (changes) =>
    isAway ? Promise.reject(new Error("away")) : values.transact(changes);
  const given = {
    read: values.read.bind(values),
    compareAndSet: values.compareAndSet.bind(values),
    transact,
  };
  const leases = valueLeases({ values: given });
  const answer = await leases.take(run);
  isAway = true;
  if (answer.kind === "taken") await answer.lease.release();
  expect(await leases.read(run)).toBeDefined();
  isAway = false;
  await vi.advanceTimersByTimeAsync(LEASE_HEARTBEAT_MS);
  expect(await leases.read(run)).toBeUndefined();
});

/** Values that lose the answer to a change, as when a connection breaks after the commit. */
function openLossy() {
  const { values } = open();
  const state = { loses: false };
  const compareAndSet: ValueStateLayer["compareAndSet"] = async (...change) => {
    const answer = await values.compareAndSet(...change);
    if (state.loses) throw new Error("the connection broke");
    return answer;
  };
  const [read, transact] = [values.read.bind(values), values.transact.bind(values)];
  return { state, leases: valueLeases({ values: { read, transact, compareAndSet } }) };
}

test("a lease whose taker heard no answer is free again", async () => {
  const { state, leases } = openLossy();
  state.loses = true;
  await expect(leases.take(run)).rejects.toThrow("the connection broke");
  state.loses = false;
  await expect.poll(() => leases.read(run)).toBeUndefined();
  expect((await leases.take(run)).kind).toBe("taken");
});

test("a lease whose holder heard no answer to a beat goes on, and is given back", async () => {
  vi.useFakeTimers();
  const { state, leases } = openLossy();
  const answer = await leases.take(run);
  state.loses = true;
  await vi.advanceTimersByTimeAsync(LEASE_HEARTBEAT_MS);
  state.loses = false;
  const lost = await leases.read(run);
  await vi.advanceTimersByTimeAsync(LEASE_HEARTBEAT_MS * 2);
  expect((await leases.read(run))?.heartbeatAt).not.toBe(lost?.heartbeatAt);
  if (answer.kind === "taken") await answer.lease.release();
  expect(await leases.read(run)).toBeUndefined();
});

test("a value that is no lease has no holder, and a dead process has no start", async () => {
  const { values } = open();
  await values.set(`turnseal:lease/${run}`, "damaged");
  expect((await valueLeases({ values }).take(run)).kind).toBe("taken");
  expect(readProcessStart(2 ** 30)).toBeUndefined();
  expect(readProcessStart(process.pid)).toMatch(/\S/);
});
