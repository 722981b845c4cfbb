export {
  createRunsClient,
  type InboxOptions,
  type InboxRequest,
  type ListedRun,
  type ListOptions,
  type Page,
  REQUEST_MS_MAX,
  type RetryOptions,
  type RunsAnswer,
  type RunsClient,
  type StartRequest,
} from "./create-runs-client.ts";
