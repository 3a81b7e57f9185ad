// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

interface IToken20 {
    function transferFrom(address from, address to, uint256 value) external returns (bool);
}

/// Pays many people in one transaction, in coins or in tokens.
contract Disperser {
    function disperseEther(address payable[] calldata recipients, uint256[] calldata values) external payable {
        for (uint256 i = 0; i < recipients.length; i++) {
            (bool ok,) = recipients[i].call{value: values[i]}("");
            require(ok, "Disperser: payment refused");
        }
        (bool returned,) = msg.sender.call{value: address(this).balance}("");
        require(returned, "Disperser: change refused");
    }

    function disperseToken(IToken20 token, address[] calldata recipients, uint256[] calldata values) external {
        for (uint256 i = 0; i < recipients.length; i++) {
            require(token.transferFrom(msg.sender, recipients[i], values[i]), "Disperser: transfer refused");
        }
    }
}
