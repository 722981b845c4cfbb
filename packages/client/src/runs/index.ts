export { createRunsClient, type RunsClient } from "./create-runs-client.ts";
