import { expect, test } from "vitest";
import { parseEvent } from "./parse-event.ts";

test.each([[{ toString: 0, valueOf: 0 }], [7], [["run.started"]], [undefined]])(
  "an event whose type is %j is refused",
  (type) => {
    expect(parseEvent({ type, content: {} })).toEqual({ kind: "refused", where: "type" });
  },
);
