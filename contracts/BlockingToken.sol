// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IssuedToken} from "./IssuedToken.sol";

/// Blocks in the manner of Tether's newer contract, and can lose its memory of an account without an event: then its view
/// says something else than its events.
contract BlockingToken is IssuedToken {
    event BlockPlaced(address indexed _user);
    event BlockReleased(address indexed _user);
    event DestroyedBlockedFunds(address indexed _blockedUser, uint256 _balance);

    constructor(string memory name_, string memory symbol_, address issuer_) IssuedToken(name_, symbol_, issuer_) {}

    function isBlocked(address user) external view returns (bool) {
        return blocked[user];
    }

    function addToBlockedList(address user) external onlyIssuer {
        blocked[user] = true;
        emit BlockPlaced(user);
    }

    function removeFromBlockedList(address user) external onlyIssuer {
        blocked[user] = false;
        emit BlockReleased(user);
    }

    function destroyBlockedFunds(address user) external onlyIssuer {
        require(blocked[user], "BlockingToken: user is not blocked");
        uint256 funds = balanceOf(user);
        _burn(user, funds);
        emit DestroyedBlockedFunds(user, funds);
    }

    function forget(address user) external onlyIssuer {
        blocked[user] = false;
    }
}
