import { Fragment } from 'react'

/** An e-mail address: in a narrow column it breaks before its @ and dots, and within a word only if it must. */
export function Email({ email }: { email: string }) {
  return (
    <bdi>
      {email.split(/(?=[.@])/).map((part, nth) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of an address never change places
        <Fragment key={nth}>
          {nth > 0 ? <wbr /> : null}
          {part}
        </Fragment>
      ))}
    </bdi>
  )
}
