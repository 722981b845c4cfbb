import type { FileRef, OpenRequest, SessionItem, ToolItem } from "@turnseal/client";

/** The answers of a person to a shown item. */
export interface Choices {
  /** What waits for the tool of this item. */
  requestOf(item: ToolItem): OpenRequest | undefined;
  decide(request: OpenRequest, choice: "approve" | "reject"): void;
  /** Where an image can be shown from; undefined where it cannot be had. */
  locate(file: FileRef): Promise<string | undefined>;
}

const STATES: Readonly<Record<ToolItem["status"], string>> = {
  pending_approval: "waits for your word",
  running: "at work…",
  done: "done",
  failed: "failed",
  rejected: "rejected",
};

/** Draws an item; everything that somebody wrote is text, and never markup. */
export function renderItem(item: SessionItem, choices: Choices): HTMLElement {
  switch (item.kind) {
    case "user":
      return box("user", bubble(item.text), ...renderFiles(item.files, choices));
    case "assistant":
      return box(
        `assistant ${item.isPartial ? "partial" : "whole"}`,
        ...(item.summarized === undefined
          ? []
          : [box("note", "Earlier messages were summarised.")]),
        bubble(item.text),
        ...renderFiles(item.files, choices),
      );
    case "reasoning":
      return box(`${item.kind} ${item.isPartial ? "partial" : "whole"}`, bubble(item.text));
    case "tool":
      return renderTool(item, choices);
    case "agent":
      return box("agent", bubble(item.text));
    case "trigger":
      return box("note", `${item.name} has happened`);
    case "child":
      return box("note", "another agent is at work");
    case "abort":
      return box("note", "You stopped the answer.");
    case "failure":
      return box("note failure", "The answer could not be given.");
  }
}

/** An image is shown, anything else is named. */
function renderFiles(files: readonly FileRef[] = [], { locate }: Choices): HTMLElement[] {
  return files.map((file) => {
    const { mediaType, bytes, name = mediaType } = file;
    if (!mediaType.startsWith("image/")) return box("file", `${name} (${bytes} bytes)`);
    const image = document.createElement("img");
    image.alt = name;
    void locate(file).then((address) => {
      if (address === undefined) image.replaceWith(box("file", `${name} is not there`));
      else image.src = address;
    });
    return box("file", image);
  });
}

function renderTool(item: ToolItem, { requestOf, decide }: Choices): HTMLElement {
  const { toolName, status, args, output, result } = item;
  const state = box("state", STATES[status]);
  const parts = [box("title", toolName.replace("local__", ""), state), code(args)];
  if (output !== undefined) parts.push(code(output));
  if (result !== undefined) parts.push(code(result));
  const request = status === "pending_approval" ? requestOf(item) : undefined;
  if (request !== undefined)
    parts.push(
      box(
        "choice",
        button("approve", "Approve", () => decide(request, "approve")),
        button("reject", "Reject", () => decide(request, "reject")),
      ),
    );
  return box(`tool ${status}`, ...parts);
}

function box(className: string, ...children: (string | HTMLElement)[]): HTMLElement {
  const element = document.createElement("div");
  element.className = className;
  element.append(...children);
  return element;
}

function bubble(text: string): HTMLElement {
  return box("bubble", text);
}

function code(value: unknown): HTMLElement {
  const element = document.createElement("pre");
  element.textContent = typeof value === "string" ? value.trimEnd() : JSON.stringify(value);
  return element;
}

function button(className: string, text: string, press: () => void): HTMLElement {
  const element = document.createElement("button");
  element.type = "button";
  element.className = className;
  element.textContent = text;
  element.addEventListener("click", () => {
    element.disabled = true;
    press();
  });
  return element;
}
