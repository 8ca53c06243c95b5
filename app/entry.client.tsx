import { RemixBrowser } from '@remix-run/react'
import { StrictMode, startTransition } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { readRefusals } from './ui/frame/refusals.ts'
import { watchErrors } from './ui/frame/report-errors.ts'
import { sayBuild } from './ui/frame/say-build.ts'

watchErrors()
readRefusals()
sayBuild()

startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <RemixBrowser />
    </StrictMode>,
  )
})
