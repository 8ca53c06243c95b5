/** The result of a sign-in test. */
import { Callout, Text } from '@radix-ui/themes'
import type { PoolReport } from '#app/domain/pools/pool.ts'
import { Icon } from '#app/ui/icons.tsx'

export function Report({ report: { ok, checks } }: { report: PoolReport }) {
  return (
    <Callout.Root color={ok ? 'green' : 'amber'} role="status" id="report">
      <Callout.Icon>
        <Icon name={ok ? 'success' : 'warning'} />
      </Callout.Icon>
      <Text as="p" size="2" weight="medium">
        {ok ? 'It works, as far as that can be tested without signing in.' : 'It does not work yet.'} Nothing
        was saved.
      </Text>
      <ul>
        {checks.map((check) => (
          <li key={check.text}>
            {check.ok ? 'Right: ' : 'Wrong: '}
            {check.text}
          </li>
        ))}
      </ul>
    </Callout.Root>
  )
}
