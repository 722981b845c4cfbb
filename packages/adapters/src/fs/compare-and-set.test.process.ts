/** Adds to its own count in a value that others change, too, and tells each time. */
import { VERSION_NONE } from "@turnseal/ports";
import { folderValues } from "./folder-values.ts";

const [folder = "", name = ""] = process.argv.slice(2);
const values = folderValues({ folder, tenant: "acme" });

async function addOne(): Promise<void> {
  for (;;) {
    const { value = {}, version = VERSION_NONE } = (await values.read("counts")) ?? {};
    const counts = value as Record<string, number>;
    const next = { ...counts, [name]: (counts[name] ?? 0) + 1 };
    if ((await values.compareAndSet("counts", version, next)).kind === "done") return;
  }
}

for (let count = 0; count < 20; count++) {
  await addOne();
  await values.append("log", name);
  process.send?.("added");
}
process.disconnect();
