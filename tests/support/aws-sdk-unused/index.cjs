/** Replaces 100 MB of SDK that cognito-local needs for triggers (Lambda) and keys (KMS), which our tests do not use. */
class Unused {}

module.exports = { Lambda: Unused, KMS: Unused }
