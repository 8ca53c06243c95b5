/** What a command has to say, on standard output; what went wrong, on standard error. */
export const report = (run: Promise<string>): Promise<void> =>
  run.then(
    (said) => void process.stdout.write(`${said}\n`),
    (error: Error) => {
      process.stderr.write(`${error.message}\n`)
      process.exitCode = 1
    },
  )
