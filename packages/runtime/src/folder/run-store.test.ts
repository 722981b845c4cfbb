import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { loadDriver, openRunStore } from "./run-store.ts";

test("a missing driver is DRIVER_MISSING, with the command that installs it", async () => {
  const load = () => Promise.reject(Object.assign(new Error(), { code: "ERR_MODULE_NOT_FOUND" }));
  await expect(loadDriver(load)).rejects.toMatchObject({
    code: "DRIVER_MISSING",
    message: expect.stringContaining("npm install pg"),
  });
});

test.each(["mysql://u:secret@h/d", "file:///tmp/runs", "Redis://h"])(
  "%s is DRIVER_MISSING, and its address is not repeated",
  async (store) => {
    const opening = openRunStore(store, "default");
    await expect(opening).rejects.toMatchObject({
      code: "DRIVER_MISSING",
      message: expect.not.stringContaining("//h"),
    });
    await expect(opening).rejects.not.toThrow("secret");
  },
);

test("another failure of a driver stays what it is", async () => {
  const error = new Error("broken");
  await expect(loadDriver(() => Promise.reject(error))).rejects.toBe(error);
});

test.each(["memory", "postgres"])("the word %s is refused, and makes no folder", async (store) => {
  await expect(openRunStore(store, "default")).rejects.toMatchObject({
    code: "DRIVER_MISSING",
    message: expect.stringContaining(`"./${store}"`),
  });
  expect(existsSync(store)).toBe(false);
});
