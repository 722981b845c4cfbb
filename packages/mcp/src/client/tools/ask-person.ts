/**
 * A server that needs input before it goes on: its questions to a person, and their answer
 * (spec/mcp.md §5).
 *
 * The state of the server is kept with the run and goes back unchanged. No person sees it.
 */
import { isPlainObject, isPlainText, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { needsAnswer, notDone, type ToolAnswer } from "@turnseal/protocol/authoring";
import { INPUT_MESSAGE_LENGTH_MAX, INPUT_NAME_LENGTH_MAX, INPUT_REQUESTS_MAX } from "../limits.ts";
import { findHidden } from "../pins/find-hidden.ts";
import type { AnsweredInput } from "../wire/connection.ts";

export function fillAnswer(answered: ToolAnswer | undefined): AnsweredInput | undefined {
  if (answered === undefined) return undefined;
  const { answer, state } = answered;
  const inputResponses = isPlainObject(answer) ? answer : {};
  return typeof state === "string" ? { inputResponses, requestState: state } : { inputResponses };
}

/** The error that asks a person, where a result asks for input; undefined for any other result. */
export function readInputRequired(tool: string, result: JsonObject): Error | undefined {
  const { resultType, inputRequests, requestState } = result;
  if (resultType !== "input_required") return undefined;
  const named = isPlainObject(inputRequests) ? Object.entries(inputRequests) : [];
  const refuse = (why: string) => notDone(`the server asks for input, and ${why}`);
  if (named.length === 0) return refuse("has no question");
  if (named.length > INPUT_REQUESTS_MAX)
    return refuse(`has more than ${INPUT_REQUESTS_MAX} questions`);
  if (requestState !== undefined && typeof requestState !== "string")
    return refuse("its state is no text");
  const asked = named.map(([name, request]) => readRequest(name, request));
  const fault = asked.find((each) => typeof each === "string");
  if (fault !== undefined) return refuse(fault as string);
  const forms = asked as readonly Form[];
  return needsAnswer({
    question: `${tool} needs input. Its server says: ${forms.map(({ message }) => message).join("; ")}`,
    schema: {
      type: "object",
      properties: Object.fromEntries(forms.map(({ name, schema }) => [name, schema])),
      required: forms.map(({ name }) => name),
      additionalProperties: false,
    },
    ...(requestState === undefined ? {} : { state: requestState }),
  });
}

interface Form {
  readonly name: string;
  readonly message: string;
  readonly schema: JsonObject;
}

/** A form for a person, or why it is none. */
function readRequest(name: string, request: JsonValue): Form | string {
  const { method, params } = isPlainObject(request) ? request : {};
  if (method !== "elicitation/create") return `${describe(method)} is not granted to servers`;
  const { mode = "form", message, requestedSchema } = isPlainObject(params) ? params : {};
  if (mode !== "form") return "only a form is shown to people";
  if (!isPlainText(message, INPUT_MESSAGE_LENGTH_MAX) || !isPlainObject(requestedSchema))
    return "its form cannot be read";
  if (
    !isPlainText(name, INPUT_NAME_LENGTH_MAX) ||
    findHidden({ [name]: [message, requestedSchema] })
  )
    return "its form has hidden characters, or a name that is too long";
  return { ...{ name, message: message as string }, schema: answerOf(requestedSchema) };
}

/** A person fills in the form, or declines. */
function answerOf(content: JsonObject): JsonObject {
  const accepted = { action: { const: "accept" }, content };
  const declined = { action: { enum: ["decline", "cancel"] } };
  return {
    oneOf: [
      { ...closed, properties: accepted, required: ["action", "content"] },
      { ...closed, properties: declined, required: ["action"] },
    ],
  };
}

const closed = { type: "object", additionalProperties: false };

function describe(method: JsonValue | undefined): string {
  if (method === "sampling/createMessage") return "a request to a model";
  return method === "roots/list" ? "a list of folders" : "this kind of question";
}
