import { describe, expect, test } from "vitest";
import { interruptPayment } from "../scenarios/__fixtures__/interrupt-payment.ts";
import { createPayments } from "../scenarios/__fixtures__/payments.ts";

describe("before a run is resumed it is said", () => {
  test("that nothing changed, and what is open", async () => {
    const { run, next } = await interruptPayment();
    const check = await next().host.checkResume(run);
    expect(check).toMatchObject({
      run,
      loops: [],
      tools: [],
      models: [],
      semantics: null,
      isGrantExpired: false,
      lack: null,
      isSafe: true,
    });
    expect(check?.open).toMatchObject([{ name: "local.pay", effect: "once", isUnknown: false }]);
  });

  test("that a loop is not the one that was pinned, which is not safe", async () => {
    const { run, next } = await interruptPayment();
    const check = await next({ template: "Please pay {{order}}" }).host.checkResume(run);
    expect(check).toMatchObject({
      ...{ isSafe: false, lack: { cause: "loop-changed", what: "agent 1.0.0" } },
    });
    expect(check?.loops).toMatchObject([
      { name: "agent 1.0.0", now: expect.stringMatching(/^sha/) },
    ]);
  });

  test("that a tool has another build and a backend another model", async () => {
    const { run, next } = await interruptPayment();
    const check = await next({ build: "2", model: "clerk-2" }).host.checkResume(run);
    expect(check).toMatchObject({
      tools: [{ name: "local.pay", recorded: "1", now: "2" }],
      models: [{ name: "clerk", recorded: "clerk/clerk-1", now: "clerk/clerk-2" }],
      isSafe: true,
    });
  });

  test("that a route has another model, and of one that has not nothing", async () => {
    const { run, next } = await interruptPayment({ isRouted: true });
    const same = await next().host.checkResume(run);
    expect(same?.models).toEqual([]);
    const other = await next({ model: "clerk-2" }).host.checkResume(run);
    expect(other?.models).toEqual([
      { name: "clerk", recorded: "clerk/clerk-1", now: "clerk/clerk-2" },
    ]);
  });

  test("nothing of a run that nobody has carried", async () => {
    const payments = createPayments();
    expect(await payments.host.checkResume(await payments.start())).toBeUndefined();
  });
});

test("an action that is unknown again after a retry takes another answer", async () => {
  const { run, next, clock } = await interruptPayment();
  const hang = { act: () => new Promise(() => {}) };
  for (const resolution of ["retry", "retry", "abandon"] as const) {
    clock.advance(60_000);
    const { host } = next(hang);
    const advanced = host.advance(run);
    // The retry acts until its deadline; the time has to pass for that.
    for (let step = 0; step < 20; step++) {
      await new Promise((resume) => setTimeout(resume, 1));
      clock.advance(1_000);
    }
    expect((await advanced).dues).toEqual({ kind: "wait" });
    const key = (await host.show(run))?.openTurn?.open[0]?.key ?? "";
    const answer = await host.resolve(run, { key, resolution, by: { id: "ada", roles: [] } });
    expect(answer).toEqual({ kind: "stored" });
    await expect(
      host.resolve(run, { key: "other", resolution, by: { id: "ada", roles: [] } }),
    ).rejects.toMatchObject({
      code: "CLAIM_NOT_UNKNOWN",
    });
  }
  const { dues } = await next().host.advance(run);
  expect(dues).toEqual({ kind: "done" });
  expect((await next().host.show(run))?.stopped).toBe("effect-unknown");
});
