// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IssuedToken} from "./IssuedToken.sol";

/// Freezes in the manner of Paxos' second contract: what is wiped is burnt, and the event does not say how much it was.
contract PaxosToken is IssuedToken {
    event FreezeAddress(address indexed addr);
    event UnfreezeAddress(address indexed addr);
    event FrozenAddressWiped(address indexed addr);

    constructor(string memory name_, string memory symbol_, address issuer_) IssuedToken(name_, symbol_, issuer_) {}

    function isFrozen(address addr) external view returns (bool) {
        return blocked[addr];
    }

    function freeze(address addr) external onlyIssuer {
        blocked[addr] = true;
        emit FreezeAddress(addr);
    }

    function unfreeze(address addr) external onlyIssuer {
        blocked[addr] = false;
        emit UnfreezeAddress(addr);
    }

    function wipeFrozenAddress(address addr) external onlyIssuer {
        require(blocked[addr], "PaxosToken: address is not frozen");
        emit FrozenAddressWiped(addr);
        _burn(addr, balanceOf(addr));
    }
}
