/** The header of a build that carries its bearer, and what stands in it: the scheme's name has no case (RFC 9110, 11.1). */
export const BEARER_SCHEME = /^Bearer +(.*)$/i;
