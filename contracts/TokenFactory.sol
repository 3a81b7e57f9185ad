// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {PlainToken} from "./PlainToken.sol";

/// Makes tokens for people who do not deploy themselves: the creator that a block explorer sees is this contract.
contract TokenFactory {
    event TokenCreated(address indexed token, address indexed developer, bytes32 salt);

    function create(string calldata name, string calldata symbol, uint256 supply) external returns (address token) {
        token = address(new PlainToken(name, symbol, 18, supply, msg.sender));
        emit TokenCreated(token, msg.sender, bytes32(0));
    }

    function create2(string calldata name, string calldata symbol, uint256 supply, bytes32 salt)
        external
        returns (address token)
    {
        token = address(new PlainToken{salt: salt}(name, symbol, 18, supply, msg.sender));
        emit TokenCreated(token, msg.sender, salt);
    }
}
