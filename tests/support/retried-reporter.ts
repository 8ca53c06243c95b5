/** Lists at the end the tests that passed only on a retry: each is a bug to fix. */
import type { Reporter, TestModule } from 'vitest/node'

export class RetriedReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const retried = modules.flatMap((module) =>
      [...module.children.allTests('passed')]
        .filter((test) => test.diagnostic()?.retryCount)
        .map((test) => `  ${module.relativeModuleId} > ${test.fullName}`),
    )
    if (retried.length > 0) console.log(['Passed only when tried again:', ...retried, ''].join('\n'))
  }
}
