/** Prints a command's result to standard output, or its error to standard error. */
export const report = (run: Promise<string>): Promise<void> =>
  run.then(
    (said) => void process.stdout.write(`${said}\n`),
    (error: Error) => {
      process.stderr.write(`${error.message}\n`)
      process.exitCode = 1
    },
  )
