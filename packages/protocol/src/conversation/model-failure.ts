/** The classes of failure of a model request: a closed set. */
export const MODEL_ERROR_CODES = [
  "MODEL_ABORTED",
  "MODEL_ANSWER_BROKEN",
  "MODEL_ANSWER_INVALID",
  "MODEL_ANSWER_TOO_LARGE",
  "MODEL_ANSWER_UNFINISHED",
  "MODEL_FAILED",
  "MODEL_NOT_FOUND",
  "MODEL_NOT_INSTALLED",
  "MODEL_RATE_LIMITED",
  "MODEL_REFUSED",
  "MODEL_UNAUTHORIZED",
  "MODEL_UNAVAILABLE",
  "MODEL_UNREACHABLE",
] as const;
export type ModelErrorCode = (typeof MODEL_ERROR_CODES)[number];
