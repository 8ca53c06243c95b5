/** The page for a misconfigured sign-in. */
import { Callout, Text } from '@radix-ui/themes'
import { useEffect } from 'react'

export const CONFIGURATION_ERROR = 'Configuration error (see console) – please contact the administrator'

/** The text refers to the console, which names the request under which the server logged the reason. */
export function ConfigurationError({ request_id }: { request_id: string }) {
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the console is where the text says to look.
    console.error(`The sign-in is not configured. The server's log says why, at request ${request_id}.`)
  }, [request_id])
  return (
    <Callout.Root color="red" role="alert">
      <Text as="p" size="2">
        {CONFIGURATION_ERROR}
      </Text>
    </Callout.Root>
  )
}
