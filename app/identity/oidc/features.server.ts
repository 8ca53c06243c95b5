import { type Configuration, errors } from 'oidc-provider'
import { SCOPES } from './claims.ts'
import { HOUR } from './lifetimes.ts'
import { loggedOutPage, logoutPage } from './pages.server.ts'

export function featuresFor(audience: string) {
  return {
    devInteractions: { enabled: false },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    rpInitiatedLogout: {
      enabled: true,
      logoutSource: (ctx, form) => {
        ctx.body = logoutPage(form)
      },
      postLogoutSuccessSource: (ctx) => {
        ctx.body = loggedOutPage()
      },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: () => audience,
      useGrantedResource: () => true,
      getResourceServerInfo(_ctx, resource) {
        if (resource !== audience) throw new errors.InvalidTarget()
        return {
          scope: SCOPES,
          audience,
          accessTokenFormat: 'jwt',
          accessTokenTTL: HOUR,
          jwt: { sign: { alg: 'RS256' } },
        }
      },
    },
  } satisfies Configuration['features']
}
