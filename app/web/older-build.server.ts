/**
 * After an upgrade, a page that is still open cannot load the older build's scripts for another screen: Remix would reload
 * the same page, without the toast. So the browser itself follows the redirects of its forms.
 */
import type { ServerBuild } from '@remix-run/node'

type Action = NonNullable<NonNullable<ServerBuild['routes'][string]>['module']['action']>

/** `version`: of the build that answers. */
export const followedByBrowser =
  (version: string, action: Action): Action =>
  async (args) => {
    const drawnBy = args.request.headers.get('x-liftwell-build')
    if (drawnBy === null || drawnBy === version) return action(args)
    try {
      return loadingDocument(await action(args))
    } catch (answer) {
      throw loadingDocument(answer)
    }
  }

function loadingDocument<Answer>(answer: Answer): Answer {
  if (answer instanceof Response && answer.headers.has('location'))
    answer.headers.set('x-remix-reload-document', 'true')
  return answer
}
