"""From graph to plan: static checks, sensitivities, composition, shares, explanation, certificate."""
