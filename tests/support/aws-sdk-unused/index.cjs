/** In place of the 100 MB that cognito-local brings for triggers (Lambda) and keys (KMS), which no test of ours uses. */
class Unused {}

module.exports = { Lambda: Unused, KMS: Unused }
